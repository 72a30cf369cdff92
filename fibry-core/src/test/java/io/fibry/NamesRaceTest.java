package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Names whose actors start and end during concurrent lookups. */
class NamesRaceTest extends KernelTest {

    private record Numbered(int sender, int number) {}

    @AllStrategies(direct = true)
    void theStartOfAnActorKeepsTheOrderOfEverySender(ThreadStrategy strategy) {
        long seed = 20_261_105;
        var random = new Random(seed);
        int senders = 3;
        int messages = 300;
        int all = senders * messages;
        for (int round = 0; round < 30; round++) {
            String name = "clerk " + round;
            Actor<Numbered> address = system.findOrExpect(name, all);
            var sent = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int s = 0; s < senders; s++) {
                int sender = s;
                threads.add(Thread.ofPlatform().start(() -> {
                    for (int i = 0; i < messages; i++) { // alternates between the address and the found actor
                        Actor<Numbered> to = i % 2 == 0
                                ? address
                                : system.<Numbered>find(name).orElse(address);
                        to.tell(new Numbered(sender, i));
                        sent.incrementAndGet();
                    }
                }));
            }
            int until = random.nextInt(all);
            Await.until("some are sent", () -> sent.get() >= until);
            var last = new int[senders];
            var wrong = new AtomicReference<@Nullable String>();
            Actor<Numbered> actor = system.actor(name).strategy(strategy).newActor((Numbered m) -> {
                if (m.number != last[m.sender]++) {
                    wrong.compareAndSet(null, m + " is not number " + (last[m.sender] - 1));
                }
            });
            threads.forEach(Await::thread);
            actor.close();
            assertNull(wrong.get(), "seed " + seed + ", round " + round);
            assertEquals(all, Await.end(actor).handled(), "seed " + seed + ", round " + round);
        }
    }

    @AllStrategies(direct = true)
    void oneOfManyCreatorsGetsTheNameAndTheKeptMessages(ThreadStrategy strategy) {
        for (int round = 0; round < 50; round++) {
            Actor<Integer> address = system.findOrExpect("clerk", 10);
            address.tell(1);
            address.tell(2);
            var handled = new AtomicInteger();
            var made = new AtomicInteger();
            var threads = new ArrayList<Thread>();
            for (int i = 0; i < 3; i++) {
                threads.add(Thread.ofPlatform().start(() -> {
                    try {
                        system.actor("clerk").strategy(strategy).newActor((Integer n) -> handled.addAndGet(n));
                        made.incrementAndGet();
                    } catch (IllegalStateException taken) {
                        assertTrue(taken.getMessage().contains("taken"), taken::getMessage);
                    }
                }));
            }
            threads.forEach(Await::thread);
            address.close();
            assertEquals(1, made.get(), "round " + round);
            assertEquals(3, handled.get(), "round " + round);
        }
    }

    /** Stops of the address, of the actor and of its parent, during the start of the actor. */
    @AllStrategies
    void noNameOutlivesItsOwner(ThreadStrategy strategy) {
        long seed = 20_261_106;
        var random = new Random(seed);
        system.onDeadLetter(letter -> {});
        int told = 0;
        for (int round = 0; round < 400; round++) {
            var parent = system.actor().newSink(null);
            Actor<Integer> address = system.findOrExpect("clerk", 10);
            address.tell(1);
            address.tell(2);
            told += 2;
            int who = random.nextInt(3);
            int spins = random.nextInt(3_000);
            StopMode mode = List.of(StopMode.values()).get(random.nextInt(3));
            var stopper = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < spins; i++) {
                    Thread.onSpinWait();
                }
                switch (who) {
                    case 0 -> address.stop(mode);
                    case 1 -> parent.stop(mode);
                    default -> system.find("clerk").ifPresent(actor -> actor.stop(mode));
                }
            });
            try {
                system.actor("clerk").strategy(strategy).childOf(parent).newActor((Integer n) -> {});
            } catch (ActorStoppedException parentHasEnded) {
                assertEquals(1, who);
            }
            Await.thread(stopper);
            String where = "seed " + seed + ", round " + round;
            parent.stop();
            address.stop();
            Await.end(parent);
            Await.end(address);
            assertFalse(system.find("clerk").isPresent(), where);
            system.actor("clerk").newSink(null).close(); // it is free
        }
        long all = told;
        Await.until("seed " + seed + ": all are counted", () -> system.stats().sent() == all);
    }

    @Test
    void aNameIsFreeAtTheMomentOfTheEnd() {
        for (int round = 0; round < 2_000; round++) {
            var actor = system.actor("clerk").newSink(null);
            var stopper = Thread.startVirtualThread(actor::stop);
            var next = actor.exit().thenApply(exit -> system.actor("clerk").newSink(null));
            Await.value(next).close();
            Await.thread(stopper);
        }
    }

    @Test
    void theEndOfTheSystemRacesWithExpectingThreads() {
        for (int round = 0; round < 200; round++) {
            var own = ActorSystem.create();
            var addresses = new ArrayList<Actor<Integer>>();
            var expecting = Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; i < 1_000; i++) {
                        addresses.add(own.findOrExpect("clerk " + i, 1));
                    }
                } catch (IllegalStateException closed) {
                    assertTrue(closed.getMessage().contains("closed"), closed::getMessage);
                }
            });
            own.close();
            Await.thread(expecting);
            addresses.forEach(Await::end); // no waiter remains
        }
    }
}
