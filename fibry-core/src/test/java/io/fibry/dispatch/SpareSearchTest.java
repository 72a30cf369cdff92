package io.fibry.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The searches of a spare without an actor, after which a next actor starts no spare. */
class SpareSearchTest {

    private final RunQueues queues = new RunQueues(2, true);
    private final SpareSearch search = new SpareSearch(queues, false, WaitingThreads.ASSUMED);
    private final Worker spare =
            new Worker(new WorkerScheduler(new WorkerWatchTest.Ignore(), worker -> {}, 2, true), 0);

    @Test
    void searchesWithoutAnActorMakeTheRunQueuesLazy() {
        searchInVain(queues.patience() - 1);
        assertTrue(queues.areEager());
        searchInVain(1);
        assertFalse(queues.areEager());
    }

    @Test
    void runQueuesWithoutAWatchRemainEager() {
        var unwatched = new RunQueues(2, false);
        var searchOfUnwatched = new SpareSearch(unwatched, false, WaitingThreads.ASSUMED);
        for (int i = 0; i < 2 * unwatched.patience(); i++) {
            assertNull(searchOfUnwatched.find(spare));
        }
        assertTrue(unwatched.areEager());
    }

    @Test
    void theCountOfSearchesBeginsAgainAfterANextActor() {
        var actor = new ActorRingTest.Ready();
        searchInVain(queues.patience() - 1);
        becomesNext(actor);
        assertSame(actor, search.find(spare));
        searchInVain(queues.patience() - 1);
        assertTrue(queues.areEager());
    }

    @Test
    void aStuckActorMakesTheRunQueuesEagerForLonger() {
        int patience = queues.patience();
        searchInVain(patience);
        becomesNext(new ActorRingTest.Ready());
        assertFalse(queues.isOneStuck(), "at the first check");
        assertTrue(queues.isOneStuck());
        assertTrue(queues.areEager());
        assertEquals(4 * patience, queues.patience());
    }

    @Test
    void pollsAgainAfterAYieldIfAThreadWaits() {
        var actor = new ActorRingTest.Ready();
        var threads = new SenderThreads(true, actor);
        assertSame(actor, new SpareSearch(queues, false, threads).find(spare));
        assertEquals(0, threads.asked);
    }

    @Test
    void givesUpIfNoThreadWaits() {
        var actor = new ActorRingTest.Ready();
        var threads = new SenderThreads(false, actor);
        assertNull(new SpareSearch(queues, false, threads).find(spare));
        assertEquals(0, threads.asked);
        assertSame(actor, queues.pollShared());
    }

    /** Otherwise it would take the next actor of a worker that is about to take it. */
    @Test
    void pollsAgainAfterAYieldIfThereIsANextActor() {
        var actor = new ActorRingTest.Ready();
        becomesNext(new ActorRingTest.Ready());
        assertSame(actor, new SpareSearch(queues, false, new SenderThreads(false, actor)).find(spare));
    }

    /** Its first use makes an actor ready, like a sender that gets a carrier thread. */
    private final class SenderThreads extends WaitingThreads {

        private final boolean wait;
        private final ScheduledActor actor;
        private int asked = -1;

        SenderThreads(boolean wait, ScheduledActor actor) {
            this.wait = wait;
            this.actor = actor;
        }

        @Override
        boolean areMoreThan(int number) {
            asked = number;
            queues.share(actor);
            return wait;
        }
    }

    private void becomesNext(ScheduledActor actor) {
        RunQueue own = queues.claim(spare);
        assertNull(own.putNext(actor));
    }

    private void searchInVain(int times) {
        for (int i = 0; i < times; i++) {
            assertNull(search.find(spare));
        }
    }
}
