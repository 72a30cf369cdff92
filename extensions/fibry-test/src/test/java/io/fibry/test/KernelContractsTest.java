package io.fibry.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.ActorStoppedException;
import io.fibry.MailboxFullException;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.StopMode;
import io.fibry.Supervision;
import io.fibry.SystemStats;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

/** The contracts of the kernel, in many orders of messages, stops and failures. */
class KernelContractsTest {

    private static final int SEEDS = 1_000;

    private static List<Actor<Integer>> senders(
            TestSystem test, int count, Actor<? super String> target, int messages) {
        return IntStream.range(0, count)
                .mapToObj(i -> test.actor("sender " + i).newActor((Integer from) -> {
                    for (int n = from; n < messages; n++) {
                        target.tell("sender " + i + ":" + n);
                    }
                }))
                .toList();
    }

    private static void assertInOrder(List<String> handled) {
        for (int i = 0; i < 3; i++) {
            String name = "sender " + i + ":";
            List<Integer> numbers = handled.stream()
                    .filter(m -> m.startsWith(name))
                    .map(m -> Integer.parseInt(m.substring(name.length())))
                    .toList();
            assertEquals(numbers.stream().sorted().distinct().toList(), numbers);
        }
    }

    // ---- stop

    /** Accepted messages are handled before a drain ends, in the order of each sender, and none after it. */
    @ActorTest(seeds = SEEDS)
    void aDrainHandlesAcceptedMessages(TestSystem test) {
        List<String> handled = new ArrayList<>();
        Actor<String> target = test.actor("target").newActor(handled::add);
        for (Actor<Integer> sender : senders(test, 3, target, 4)) {
            test.allowFailures(sender, ActorStoppedException.class);
            sender.tell(0);
        }
        test.actor("stopper").newActor((String m) -> target.stop()).tell("now");
        target.waitForExit();
        int atEnd = handled.size();
        test.runUntilIdle();
        assertEquals(atEnd, handled.size());
        assertInOrder(handled);
        ActorExit exit = target.exit().join();
        assertEquals(atEnd, exit.handled());
        assertEquals(0, exit.discarded());
    }

    /** Each ask gets a reply or an exception, regardless of intervening events. */
    @ActorTest(seeds = SEEDS)
    void noAskStaysOpenAfterAStop(TestSystem test) {
        ReplyActor<Integer, Integer> target = test.actor("target").newActorWithReturn(n -> n);
        List<CompletableFuture<Integer>> replies = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int n = i;
            test.actor("asker " + i)
                    .newActor((String m) -> replies.add(target.ask(n)))
                    .tell("ask");
        }
        test.actor("stopper")
                .newActor((String m) -> target.stop(StopMode.DISCARD))
                .tell("now");
        target.waitForExit();
        test.runUntilIdle();
        assertEquals(3, replies.size());
        for (CompletableFuture<Integer> reply : replies) {
            assertTrue(reply.isDone());
            if (reply.isCompletedExceptionally()) {
                assertTrue(reply.exceptionNow() instanceof ActorStoppedException);
            }
        }
    }

    /** Every message is handled, dropped, discarded or refused: no message is lost or counted twice. */
    @ActorTest(seeds = SEEDS)
    void everyMessageCountsOnce(TestSystem test) {
        int[] refused = {0};
        int[] handled = {0};
        Actor<Integer> target = test.actor("target").newActor(n -> handled[0]++);
        for (int i = 0; i < 3; i++) {
            test.actor("sender " + i)
                    .newActor((String m) -> {
                        for (int n = 0; n < 3; n++) {
                            try {
                                target.tell(n);
                            } catch (ActorStoppedException e) {
                                refused[0]++;
                            }
                        }
                    })
                    .tell("go");
        }
        test.faults().mayStop(target, StopMode.DISCARD);
        test.runUntilIdle();
        target.close(Duration.ofSeconds(1));
        ActorExit exit = target.exit().join();
        assertEquals(9, exit.handled() + exit.discarded() + refused[0]);
        assertEquals(handled[0], exit.handled());
        SystemStats counters = test.system().stats();
        assertEquals(refused[0], counters.refused());
    }

    /** Children end before their parent, even if they are created during its stop. */
    @ActorTest(seeds = SEEDS)
    void childrenEndBeforeTheirParent(TestSystem test) {
        List<String> ends = new ArrayList<>();
        Actor<Integer> parent = test.actor("parent")
                .onStop(exit -> ends.add("parent"))
                .newActorFrom(context -> n -> context.spawn()
                        .onStop(exit -> ends.add("child"))
                        .newActor((String m) -> {})
                        .tell("work"));
        test.allowFailures(parent, ActorStoppedException.class); // its child may have been stopped
        parent.tell(1);
        parent.tell(2);
        test.faults().mayStop(parent, StopMode.DISCARD);
        test.runUntilIdle();
        parent.close(Duration.ofSeconds(1));
        assertEquals("parent", ends.getLast(), ends.toString());
        assertEquals(1, ends.stream().filter("parent"::equals).count());
    }

    /** A stop by interrupt ends a handler that waits. */
    @ActorTest(seeds = SEEDS)
    void anInterruptEndsAWait(TestSystem test) {
        Actor<String> waiter =
                test.actor("waiter").newActorFrom(context -> m -> context.receive(x -> false, Duration.ofDays(1_000)));
        waiter.tell("wait");
        test.actor("stopper")
                .newActor((String m) -> waiter.stop(StopMode.INTERRUPT))
                .tell("now");
        test.runUntilIdle();
        assertTrue(waiter.exit().isDone());
        assertTrue(test.elapsed().isZero());
    }

    // ---- restart

    /** A restart loses only the message that failed. */
    @ActorTest(seeds = SEEDS)
    void aRestartLosesOneMessage(TestSystem test) {
        List<String> handled = new ArrayList<>();
        int[] lives = {0};
        Actor<String> target = test.actor("target")
                .supervision(Supervision.restart())
                .newActorFrom(context -> {
                    lives[0]++;
                    return handled::add;
                });
        senders(test, 3, target, 3).forEach(sender -> sender.tell(0));
        int[] faults = {0};
        test.faults().mayThrow(target, () -> new IllegalStateException("fault " + ++faults[0]));
        test.faults().mayFail(target);
        test.runUntilIdle();
        assertInOrder(handled);
        assertTrue(lives[0] >= 1 && lives[0] <= 3);
        assertEquals(9 - faults[0], handled.size(), handled.toString());
    }

    // ---- stash

    /** Stashed messages return in their order, even if the behavior restarts meanwhile. */
    @ActorTest(seeds = SEEDS)
    void theStashKeepsItsOrder(TestSystem test) {
        List<String> handled = new ArrayList<>();
        boolean[] open = {false};
        Actor<String> target = test.actor("target")
                .supervision(Supervision.restart())
                .newActorFrom(context -> message -> {
                    if (message.equals("open")) {
                        open[0] = true;
                        context.unstashAll();
                    } else if (open[0]) {
                        handled.add(message);
                    } else {
                        context.stash();
                    }
                });
        senders(test, 3, target, 3).forEach(sender -> sender.tell(0));
        test.actor("opener").newActor((String m) -> target.tell(m)).tell("open");
        test.faults().mayFail(target);
        test.runUntilIdle();
        assertEquals(9, handled.size(), handled.toString());
        assertInOrder(handled);
    }

    // ---- names

    /** A name has one owner at a time, and messages for an expected actor reach it. */
    @ActorTest(seeds = SEEDS)
    void aNameHasOneOwner(TestSystem test) {
        List<String> handled = new ArrayList<>();
        int[] made = {0};
        Actor<Object> first = test.system().findOrExpect("late", 10);
        first.tell("before");
        for (int i = 0; i < 3; i++) {
            test.actor("maker " + i)
                    .newActor((String m) -> {
                        try {
                            test.system().actor("late").newActor((String x) -> handled.add(x));
                            made[0]++;
                        } catch (IllegalStateException taken) {
                            handled.add("taken");
                        }
                    })
                    .tell("make");
        }
        test.actor("teller").newActor((String m) -> first.tell(m)).tell("after");
        test.runUntilIdle();
        assertEquals(1, made[0]);
        assertEquals(2, handled.stream().filter("taken"::equals).count());
        assertEquals(
                List.of("before", "after"),
                handled.stream().filter(m -> !m.equals("taken")).toList());
    }

    @ActorTest(seeds = SEEDS)
    void aNameIsFreeAfterTheEnd(TestSystem test) {
        Actor<String> one = test.actor("name").newActor((String m) -> {});
        test.actor("stopper").newActor((String m) -> one.stop()).tell("now");
        one.waitForExit();
        assertEquals(Optional.empty(), test.system().find("name"));
        assertFalse(test.actor("name").newActor((String m) -> {}).exit().isDone());
    }

    // ---- bounded

    /** A bounded mailbox never exceeds its limit, and its senders wait for room without loss of messages. */
    @ActorTest(seeds = SEEDS)
    void aBoundedMailboxKeepsItsLimit(TestSystem test) {
        List<String> handled = new ArrayList<>();
        int[] largest = {0};
        List<Actor<String>> self = new ArrayList<>();
        Actor<String> target = test.actor("target").bounded(2, Overflow.BLOCK).newActor((String m) -> {
            largest[0] = Math.max(largest[0], self.getFirst().mailboxSize().orElseThrow());
            handled.add(m);
        });
        self.add(target);
        senders(test, 3, target, 4).forEach(sender -> sender.tell(0));
        test.runUntilIdle();
        assertEquals(12, handled.size());
        assertInOrder(handled);
        assertTrue(largest[0] <= 2);
    }

    /** Senders that wait for room with a future succeed, even if the mailbox occasionally appears full. */
    @ActorTest(seeds = SEEDS)
    void aSenderThatAwaitsTheFutureSendsItsMessage(TestSystem test) {
        List<String> handled = new ArrayList<>();
        Actor<String> target = test.actor("target").bounded(1, Overflow.FAIL).newActor(handled::add);
        for (int i = 0; i < 3; i++) {
            String name = "sender " + i;
            test.actor(name)
                    .newActor((String m) -> {
                        for (int n = 0; n < 3; n++) {
                            while (!target.tryTell(name + ":" + n)) {
                                target.whenWritable().join();
                            }
                        }
                    })
                    .tell("go");
        }
        test.runUntilIdle();
        assertEquals(9, handled.size());
        assertInOrder(handled);
    }

    /** A stop ends the wait of senders that wait with a future. */
    @ActorTest(seeds = SEEDS)
    void aStopEndsTheWaitForRoomByAFuture(TestSystem test) {
        Actor<String> target = test.actor("target").bounded(1, Overflow.FAIL).newActor((String m) -> {});
        int[] ended = {0};
        for (int i = 0; i < 3; i++) {
            test.actor("sender " + i)
                    .newActor((String m) -> {
                        try {
                            for (int n = 0; n < 10; n++) {
                                target.tryTell(m);
                                target.whenWritable().join();
                            }
                        } catch (ActorStoppedException e) {
                            assertTrue(target.exit().isDone()
                                    || target.whenWritable().isCompletedExceptionally());
                        } catch (CompletionException e) {
                            assertTrue(e.getCause() instanceof ActorStoppedException);
                        }
                        ended[0]++;
                    })
                    .tell("go");
        }
        test.actor("stopper")
                .newActor((String m) -> target.stop(StopMode.DISCARD))
                .tell("now");
        test.runUntilIdle();
        assertEquals(3, ended[0]);
    }

    /** A stop wakes the senders that wait for room. */
    @ActorTest(seeds = SEEDS)
    void aStopWakesSendersThatWaitForRoom(TestSystem test) {
        ReplyActor<String, String> gate = test.actor("gate").newActorWithReturnFrom(context -> m -> {
            context.deferReply();
            return m;
        });
        Actor<String> target = test.actor("target")
                .bounded(1, Overflow.BLOCK)
                .newActor((String m) -> gate.ask(m).join());
        int[] refused = {0};
        for (int i = 0; i < 3; i++) {
            test.actor("sender " + i)
                    .newActor((String m) -> {
                        try {
                            target.tell(m);
                        } catch (ActorStoppedException e) {
                            refused[0]++;
                        }
                    })
                    .tell("hello");
        }
        test.actor("stopper")
                .newActor((String m) -> {
                    target.stop(StopMode.INTERRUPT);
                    gate.stop(StopMode.DISCARD);
                })
                .tell("now");
        target.waitForExit();
        test.runUntilIdle();
        ActorExit exit = target.exit().join();
        assertEquals(3, exit.handled() + exit.discarded() + refused[0], exit.toString());
    }

    /** A cycle of full mailboxes is detected, and all actors continue. */
    @ActorTest(seeds = SEEDS)
    void aCycleOfFullMailboxesIsFound(TestSystem test) {
        List<Actor<Integer>> ring = new ArrayList<>();
        int[] cycles = {0};
        for (int i = 0; i < 3; i++) {
            int next = (i + 1) % 3;
            ring.add(test.actor("member " + i).bounded(1, Overflow.BLOCK).newActor((Integer hops) -> {
                for (int n = 0; n < hops; n++) {
                    try {
                        ring.get(next).tell(hops - 1);
                    } catch (MailboxFullException e) {
                        cycles[0]++;
                    }
                }
            }));
        }
        ring.forEach(member -> member.tell(3));
        test.runUntilIdle();
        for (Actor<Integer> member : ring) {
            assertEquals(0, member.mailboxSize().orElseThrow());
        }
    }

    /** An ask that has timed out is not handled; one whose handling has begun may be. */
    @ActorTest(seeds = SEEDS)
    void anAskEndsOnce(TestSystem test) {
        int[] handled = {0};
        ReplyActor<Integer, Integer> target = test.actor("target").newActorWithReturn(n -> {
            handled[0]++;
            return n;
        });
        Actor<String> asker = test.actor("asker").newActor((String m) -> {
            try {
                assertEquals(1, target.ask(1, Duration.ofSeconds(1)).join());
                assertEquals(1, handled[0]);
            } catch (CompletionException e) {
                assertTrue(handled[0] <= 1);
            }
        });
        asker.tell("go");
        test.advance(Duration.ofMinutes(1));
        assertEquals(1, asker.close(Duration.ofSeconds(1)) ? asker.exit().join().handled() : 0);
    }
}
