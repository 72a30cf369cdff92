package io.fibry.durable;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * An effect of a message besides the events or the state and the reply: see {@link Decision#with} and
 * {@link Change#with}. Effects are values, which a test of a behavior can compare.
 *
 * {@snippet class = "EffectSnippets" region = "effects"}
 *
 * <p>Effects are stored in the transaction of the events or the state, and take place after its commit, also if the
 * process fails in between. They are created by {@link DurableType#send}, {@link DurableType#remind},
 * {@link #cancel} and {@link DurableTopic#publish}.
 *
 * <p><b>Exactly once.</b> A message to an entity is stored until the entity has handled it: it is deleted by the
 * transaction that stores the effects of its handling. The messages of one sender to one receiver are handled in order.
 * If the handling fails, it is repeated after a pause, from one second to one minute; meanwhile, later messages of the
 * sender wait.
 */
public sealed interface Effect {

    /**
     * Cancels the reminder of this name of the deciding entity, if there is one.
     *
     * @throws IllegalArgumentException if the name is not valid
     */
    static Effect cancel(String reminder) {
        return new Cancel(reminder);
    }

    /** See {@link DurableType#send}. */
    record Send<M>(DurableType<M, ?> type, String key, M message) implements Effect {

        /** @throws IllegalArgumentException if the key is not valid */
        public Send {
            Objects.requireNonNull(type, "type");
            Names.checkId(key);
            Objects.requireNonNull(message, "message");
        }
    }

    /** See {@link DurableTopic#publish}. */
    record Publish<M>(DurableTopic<M> topic, M message) implements Effect {

        /** Creates an effect. */
        public Publish {
            Objects.requireNonNull(topic, "topic");
            Objects.requireNonNull(message, "message");
        }
    }

    /** See {@link DurableType#remind(String, Duration, Object)}. */
    record RemindAfter<M>(DurableType<M, ?> type, String name, Duration delay, M message) implements Effect {

        /** @throws IllegalArgumentException if the name is not valid, or the delay is negative */
        public RemindAfter {
            Objects.requireNonNull(type, "type");
            Names.checkReminder(name);
            Objects.requireNonNull(message, "message");
            if (delay.isNegative()) {
                throw new IllegalArgumentException("the delay must not be negative: " + delay);
            }
        }
    }

    /** See {@link DurableType#remind(String, Instant, Object)}. */
    record RemindAt<M>(DurableType<M, ?> type, String name, Instant due, M message) implements Effect {

        /** @throws IllegalArgumentException if the name is not valid */
        public RemindAt {
            Objects.requireNonNull(type, "type");
            Names.checkReminder(name);
            Objects.requireNonNull(due, "due");
            Objects.requireNonNull(message, "message");
        }
    }

    /** See {@link #cancel}. */
    record Cancel(String name) implements Effect {

        /** @throws IllegalArgumentException if the name is not valid */
        public Cancel {
            Names.checkReminder(name);
        }
    }
}
