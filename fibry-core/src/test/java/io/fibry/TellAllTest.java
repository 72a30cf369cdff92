package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.NoLeftovers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Messages that are sent as a group.
 *
 * <p>Seen to fail: sent one by one; with links that a refusal leaves behind; a comparator's failure that leaves some
 * messages; and a limit that only checks for any room.
 */
@ExtendWith(NoLeftovers.class)
@Timeout(60)
class TellAllTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ActorSystem system = ActorSystem.create();
    private final List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch go = new CountDownLatch(1);

    @AfterEach
    void close() {
        go.countDown();
        system.close();
    }

    private record Part(int sender, int group, int number) {}

    /** Senders of groups and of single messages, at one actor. */
    @AllStrategies(direct = true)
    void groupsAreNotInterleaved(ThreadStrategy strategy) throws Exception {
        groupsAreNotInterleaved(system.actor().strategy(strategy));
    }

    @AllStrategies(direct = true)
    void groupsAreNotInterleavedInABoundedMailbox(ThreadStrategy strategy) throws Exception {
        groupsAreNotInterleaved(system.actor().strategy(strategy).bounded(100_000, Overflow.BLOCK));
    }

    private static void groupsAreNotInterleaved(ActorBuilder<Object> builder) throws Exception {
        int groups = 500;
        int size = 7;
        List<Part> handled = new ArrayList<>(); // the actor's own until its end
        Actor<Part> actor = builder.newActor(handled::add);
        List<Thread> senders = IntStream.range(0, 4)
                .mapToObj(sender -> Thread.ofPlatform().start(() -> {
                    for (int g = 0; g < groups; g++) {
                        int group = g;
                        actor.tellAll(IntStream.range(0, size)
                                .mapToObj(n -> new Part(sender, group, n))
                                .toList());
                        actor.tell(new Part(sender, group, size));
                    }
                }))
                .toList();
        for (Thread sender : senders) {
            sender.join();
        }
        assertTrue(actor.close(MINUTE));
        assertEquals(senders.size() * groups * (size + 1), handled.size());
        int[] next = new int[senders.size()];
        for (int i = 0; i < handled.size(); i++) {
            Part part = handled.get(i);
            if (part.number > 0 && part.number < size) { // inside a group
                assertEquals(new Part(part.sender, part.group, part.number - 1), handled.get(i - 1));
            }
            assertEquals(next[part.sender]++, part.group * (size + 1) + part.number);
        }
    }

    /** Either all messages of a group are accepted and handled, or the sender gets an exception, and none is. */
    @AllStrategies
    void aStopAcceptsAllMessagesOrNoMessage(ThreadStrategy strategy) throws Exception {
        for (int round = 0; round < 100; round++) {
            var handled = new AtomicInteger();
            Actor<Integer> actor = system.actor().strategy(strategy).newActor(n -> handled.incrementAndGet());
            var accepted = new AtomicInteger();
            var begun = new CountDownLatch(1);
            List<ActorStoppedException> refusals = new ArrayList<>();
            Thread sender = Thread.ofPlatform().start(() -> {
                try {
                    while (true) {
                        actor.tellAll(List.of(1, 2, 3));
                        accepted.addAndGet(3);
                        begun.countDown();
                    }
                } catch (ActorStoppedException e) {
                    refusals.add(e);
                }
            });
            begun.await();
            actor.stop();
            sender.join();
            assertTrue(actor.waitForExit(MINUTE));
            assertEquals(accepted.get(), handled.get());
            assertTrue(refusals.getFirst().isRefusalOf(actor));
        }
    }

    @Test
    void anIdleActorHandlesAGroupInOrder() {
        Actor<Integer> actor = system.actor().newActor(seen::add);
        for (int i = 0; i < 1_000; i++) {
            actor.tellAll(List.of(2 * i, 2 * i + 1));
        }
        assertTrue(actor.close(MINUTE));
        assertEquals(IntStream.range(0, 2_000).boxed().toList(), seen);
    }

    /** An actor with two waiting messages, 1 and 2, and three places. It handles a third message. */
    private Actor<Integer> nearlyFull(Overflow overflow) throws InterruptedException {
        var running = new CountDownLatch(1);
        Actor<Integer> actor = system.actor().bounded(3, overflow).newActor(n -> {
            running.countDown();
            go.await();
            seen.add(n);
        });
        actor.tell(0);
        running.await();
        actor.tellAll(List.of(1, 2));
        return actor;
    }

    private List<Integer> handledBy(Actor<Integer> actor) {
        go.countDown();
        assertTrue(actor.close(MINUTE));
        return seen;
    }

    @ParameterizedTest
    @EnumSource(names = {"FAIL", "BLOCK"})
    void aMailboxWithoutRoomForAllRefusesAll(Overflow overflow) throws Exception {
        Actor<Integer> actor = nearlyFull(overflow);
        assertThrows(MailboxFullException.class, () -> actor.tellAll(List.of(3, 4)));
        assertEquals(2, actor.mailboxSize().orElseThrow());
        assertEquals(2, system.stats().refused());
        actor.tellAll(List.of(5));
        assertEquals(List.of(0, 1, 2, 5), handledBy(actor));
    }

    @Test
    void dropNewestDropsAll() throws Exception {
        Actor<Integer> actor = nearlyFull(Overflow.DROP_NEWEST);
        actor.tellAll(List.of(3, 4));
        assertEquals(2, system.stats().dropped());
        assertEquals(List.of(0, 1, 2), handledBy(actor));
    }

    @Test
    void dropOldestMakesRoomForAll() throws Exception {
        Actor<Integer> actor = nearlyFull(Overflow.DROP_OLDEST);
        actor.tellAll(List.of(3, 4));
        assertEquals(1, system.stats().dropped());
        actor.tellAll(List.of(5, 6, 7));
        assertEquals(4, system.stats().dropped());
        assertEquals(List.of(0, 5, 6, 7), handledBy(actor));
    }

    @ParameterizedTest
    @EnumSource
    void aGroupLargerThanTheMailboxIsRefused(Overflow overflow) {
        Actor<Integer> actor = system.actor().bounded(3, overflow).newActor(seen::add);
        assertThrows(IllegalArgumentException.class, () -> actor.tellAll(List.of(1, 2, 3, 4)));
        actor.tellAll(List.of(1, 2, 3));
        assertTrue(actor.close(MINUTE));
        assertEquals(List.of(1, 2, 3), seen);
    }

    @Test
    void badInputIsRefused() {
        Actor<Integer> actor = system.actor().newActor(seen::add);
        assertThrows(NullPointerException.class, () -> actor.tellAll(null));
        List<Integer> withNull = new ArrayList<>(List.of(1));
        withNull.add(null);
        assertThrows(NullPointerException.class, () -> actor.tellAll(withNull));
        actor.tellAll(List.of());
        assertTrue(actor.close(MINUTE));
        assertThrows(ActorStoppedException.class, () -> actor.tellAll(List.of(1)));
        assertEquals(List.of(), seen);
        assertEquals(1, system.stats().refused());
    }

    /**
     * The comparator fails at the second message of the group. The first one is then absent, and other messages still
     * wake the actor.
     */
    @Test
    void aFailingComparatorAcceptsNoMessage() {
        Actor<Object> actor = system.actor()
                .priority((Object a, Object b) -> ((Integer) a).compareTo((Integer) b))
                .newActor(n -> seen.add((Integer) n));
        assertThrows(ClassCastException.class, () -> actor.tellAll(List.of(1, "one")));
        actor.tell(2);
        assertTrue(actor.close(MINUTE));
        assertEquals(List.of(2), seen);
    }

    @AllStrategies
    void aPriorityOrdersThem(ThreadStrategy strategy) throws Exception {
        var running = new CountDownLatch(1);
        Actor<Integer> actor = system.actor()
                .strategy(strategy)
                .priority(Integer::compare)
                .newActor(n -> {
                    running.countDown();
                    go.await();
                    seen.add(n);
                });
        actor.tell(0);
        running.await();
        actor.tellAll(List.of(3, 1, 2));
        assertEquals(List.of(0, 1, 2, 3), handledBy(actor));
    }

    /** A child ends before its draining parent, which still accepts its messages. */
    @AllStrategies
    void aDrainingParentAcceptsGroupsOfItsChildren(ThreadStrategy strategy) throws Exception {
        Actor<Integer> parent = system.actor().strategy(strategy).newActor(seen::add);
        var running = new CountDownLatch(1);
        Actor<Integer> child = system.actor().strategy(strategy).childOf(parent).newActor(n -> {
            running.countDown();
            go.await();
            parent.tellAll(List.of(n, n + 1, n + 2));
        });
        child.tell(1);
        running.await();
        parent.stop();
        go.countDown();
        assertTrue(parent.waitForExit(MINUTE));
        assertEquals(List.of(1, 2, 3), seen);
    }

    @Test
    void anExpectedActorKeepsAllMessagesOrNoMessage() {
        Actor<Integer> expected = system.findOrExpect("later", 3);
        expected.tellAll(List.of(1, 2));
        assertThrows(MailboxFullException.class, () -> expected.tellAll(List.of(3, 4)));
        expected.tellAll(List.of(5));
        Actor<Integer> actor = system.actor("later").newActor(seen::add);
        expected.tellAll(List.of(6, 7, 8, 9));
        assertTrue(actor.close(MINUTE));
        assertEquals(List.of(1, 2, 5, 6, 7, 8, 9), seen);
        assertThrows(ActorStoppedException.class, () -> expected.tellAll(List.of(1)));
    }
}
