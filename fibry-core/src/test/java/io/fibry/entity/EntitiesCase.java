package io.fibry.entity;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingFunction;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.testing.NoLeftovers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** A system, and entities that count their messages. */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
abstract class EntitiesCase {

    static final Duration MINUTE = Duration.ofMinutes(1);
    static final EntityOptions ALWAYS = EntityOptions.defaults().idleTimeout(null);

    final ActorSystem system = ActorSystem.create();

    /** The states that entities have saved at their end, and load at their start. */
    final Map<String, Integer> saved = new ConcurrentHashMap<>();

    final ConcurrentLinkedQueue<String> events = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        system.close();
    }

    <M, R extends @Nullable Object> LocalEntities<String, M, R> start(
            ThreadStrategy strategy, ThrowingFunction<String, EntityBehavior<M, R>> begin, EntityOptions options) {
        return Stereotypes.with(strategy).in(system).named("carts").entities(begin, options);
    }

    /** A message of {@link Count} that may arrive at any count. */
    static final int ANY = 0;

    /**
     * A count that increases with each message, and must then equal the number in the message. The reply is the count.
     */
    final class Count implements EntityBehavior<Integer, Integer> {
        private final String key;
        private final AtomicBoolean running = new AtomicBoolean();
        private int count;

        Count(String key) {
            this.key = key;
            count = saved.getOrDefault(key, 0);
            events.add("begin " + key);
        }

        @Override
        public Integer handle(Integer message) {
            if (!running.compareAndSet(false, true)) {
                events.add("overlap");
            }
            count++;
            if (message != ANY && message != count) {
                events.add(key + " got " + message + " as number " + count);
            }
            running.set(false);
            return count;
        }

        @Override
        public void onEnd() {
            saved.put(key, count);
            events.add("end " + key);
        }
    }

    static int ask(Entities<String, Integer, Integer> counts, String key) {
        return counts.ref(key).ask(ANY, MINUTE).join();
    }
}
