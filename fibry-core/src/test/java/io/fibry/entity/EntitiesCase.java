package io.fibry.entity;

import io.fibry.ActorSystem;
import io.fibry.ReplyTo;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingFunction;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.testing.NoLeftovers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
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

    /** What entities have saved at their end, and load when they begin. */
    final Map<String, Integer> saved = new ConcurrentHashMap<>();

    final ConcurrentLinkedQueue<String> events = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        system.close();
    }

    <M> Entities<String, M> start(
            ThreadStrategy strategy, ThrowingFunction<String, EntityBehavior<M>> begin, EntityOptions options) {
        return Stereotypes.with(strategy).in(system).named("carts").entities(begin, options);
    }

    /** A count that is asked for and goes up, or must be the number in the message. */
    final class Count implements EntityBehavior<Object> {
        private final String key;
        private final AtomicBoolean atWork = new AtomicBoolean();
        private int count;

        Count(String key) {
            this.key = key;
            count = saved.getOrDefault(key, 0);
            events.add("begin " + key);
        }

        @Override
        @SuppressWarnings("unchecked")
        public void handle(Object message) {
            if (!atWork.compareAndSet(false, true)) {
                events.add("overlap");
            }
            count++;
            if (message instanceof ReplyTo<?> asker) {
                ((ReplyTo<Integer>) asker).reply(count);
            } else if (!message.equals(count)) {
                events.add(key + " got " + message + " as number " + count);
            }
            atWork.set(false);
        }

        @Override
        public void end() {
            saved.put(key, count);
            events.add("end " + key);
        }
    }

    static int ask(Entities<String, Object> counts, String key) {
        return counts.ask(key, (ReplyTo<Integer> to) -> to, MINUTE).join();
    }
}
