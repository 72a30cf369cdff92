package io.fibry.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.MailboxFullException;
import io.fibry.Overflow;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.NoLeftovers;
import io.fibry.testing.Rounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Many senders and keys, while entities end repeatedly: by a stop, as the oldest, after an idle period, or by a
 * failure. Every message has one end, messages of one sender to one key keep their order, and no two behaviors of a key
 * are alive at a time.
 *
 * <p>Errors that this test has found: the next entity does not wait for the end of the previous one; an entity removes
 * itself before its end; a sender gives up, or sends an accepted message again.
 */
@ExtendWith(NoLeftovers.class)
@Timeout(300)
class EntitiesStressTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int KEYS = 24;
    private static final int SENDERS = 6;
    private static final int EACH = Rounds.of(1_000, 3_000);

    private record Message(int sender, int number, boolean fails) {}

    private final ActorSystem system = ActorSystem.create();
    private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
    private final AtomicIntegerArray told = new AtomicIntegerArray(KEYS);
    private final AtomicIntegerArray handled = new AtomicIntegerArray(KEYS);
    private final AtomicIntegerArray refused = new AtomicIntegerArray(KEYS);
    private final AtomicIntegerArray dead = new AtomicIntegerArray(1);
    private final AtomicIntegerArray begun = new AtomicIntegerArray(1);
    private final List<AtomicBoolean> alive = new ArrayList<>();

    /** The last number of each sender, by key. Written by the entities of the key only, which the hand-over orders. */
    private final int[][] last = new int[KEYS][SENDERS];

    EntitiesStressTest() {
        for (int i = 0; i < KEYS; i++) {
            alive.add(new AtomicBoolean());
        }
    }

    @AfterEach
    void close() {
        system.close();
    }

    private final class Checked implements EntityBehavior<Message, Integer> {
        private final int key;
        private boolean running;

        Checked(int key) {
            this.key = key;
            begun.incrementAndGet(0);
            if (!alive.get(key).compareAndSet(false, true)) {
                faults.add("two of key " + key);
            }
        }

        @Override
        public Integer handle(Message m) {
            if (running) {
                faults.add("overlap in key " + key);
            }
            running = true;
            handled.incrementAndGet(key);
            if (m.number <= last[key][m.sender]) {
                faults.add("number " + m.number + " after " + last[key][m.sender]);
            }
            last[key][m.sender] = m.number;
            if (m.number % 5 == 0) {
                LockSupport.parkNanos(1_000);
            }
            running = false;
            if (m.fails) {
                throw new IllegalStateException("on purpose");
            }
            return m.number;
        }

        @Override
        public void onEnd() {
            LockSupport.parkNanos(1_000);
            if (!alive.get(key).compareAndSet(true, false)) {
                faults.add("two ends of key " + key);
            }
        }
    }

    @AllStrategies(direct = true)
    void stopped(ThreadStrategy strategy) throws Exception {
        run(strategy, EntityOptions.defaults().idleTimeout(null), 1, false);
    }

    @AllStrategies(direct = true)
    void tooMany(ThreadStrategy strategy) throws Exception {
        run(strategy, EntityOptions.defaults().idleTimeout(null).maxInMemory(3), 2, false);
    }

    @AllStrategies(direct = true)
    void idle(ThreadStrategy strategy) throws Exception {
        run(strategy, EntityOptions.defaults().idleTimeout(Duration.ofNanos(1)), 3, false);
    }

    @AllStrategies(direct = true)
    void limitedAndTooMany(ThreadStrategy strategy) throws Exception {
        run(strategy, EntityOptions.defaults().bounded(2, Overflow.FAIL).maxInMemory(2), 4, false);
    }

    @AllStrategies
    void waitingForRoomAndTooMany(ThreadStrategy strategy) throws Exception {
        run(strategy, EntityOptions.defaults().bounded(1, Overflow.BLOCK).maxInMemory(2), 5, false);
    }

    @AllStrategies(direct = true)
    void failed(ThreadStrategy strategy) throws Exception {
        run(strategy, EntityOptions.defaults().supervision(Supervision.stop()), 6, true);
    }

    private void run(ThreadStrategy strategy, EntityOptions options, long seed, boolean failures) throws Exception {
        system.onDeadLetter(letter -> dead.incrementAndGet(0));
        LocalEntities<Integer, Message, Integer> entities =
                Stereotypes.with(strategy).in(system).entities(Checked::new, options);
        var senders = new ArrayList<Thread>();
        for (int s = 0; s < SENDERS; s++) {
            int sender = s;
            var random = new Random(seed * 1_000 + sender);
            senders.add(Thread.startVirtualThread(() -> send(entities, sender, random, failures)));
        }
        for (Thread sender : senders) {
            sender.join();
        }
        assertTrue(entities.close(MINUTE));
        check(failures);
    }

    private void send(Entities<Integer, Message, Integer> entities, int sender, Random random, boolean failures) {
        try {
            for (int i = 1; i <= EACH; i++) {
                int key = random.nextInt(random.nextInt(10) == 0 ? KEYS : 4);
                told.incrementAndGet(key);
                boolean fails = failures && random.nextInt(20) == 0;
                try {
                    if (random.nextInt(8) == 0) {
                        ask(entities, key, sender, i, fails);
                    } else {
                        entities.ref(key).tell(new Message(sender, i, fails));
                    }
                } catch (MailboxFullException e) {
                    refused.incrementAndGet(key);
                }
                if (random.nextInt(12) == 0) {
                    entities.end(key);
                }
            }
        } catch (Throwable t) {
            faults.add("sender " + sender + ": " + t);
        }
    }

    private void ask(Entities<Integer, Message, Integer> entities, int key, int sender, int number, boolean fails) {
        try {
            int reply = entities.ref(key)
                    .ask(new Message(sender, number, fails), MINUTE)
                    .join();
            if (reply != number) {
                faults.add("asked " + number + ", got " + reply);
            }
        } catch (CompletionException e) {
            if (e.getCause() instanceof MailboxFullException full) {
                throw full;
            }
            boolean accepted = e.getCause() instanceof ActorStoppedException; // a dead letter, since another has failed
            if (!accepted && !"on purpose".equals(e.getCause().getMessage())) {
                faults.add("asked " + number + ": " + e);
            }
        }
    }

    private void check(boolean failures) {
        assertEquals(List.of(), List.copyOf(faults));
        int notHandled = 0;
        for (int key = 0; key < KEYS; key++) {
            int rest = told.get(key) - handled.get(key) - refused.get(key);
            notHandled += rest;
            assertTrue(failures ? rest >= 0 : rest == 0, "key " + key + ": " + rest);
        }
        assertEquals(notHandled, dead.get(0));
        assertTrue(begun.get(0) > KEYS, "entities: " + begun.get(0));
        assertTrue(alive.stream().noneMatch(AtomicBoolean::get));
    }
}
