package io.fibry.context;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * The name and the tags of observed messages. Override a method to change them:
 *
 * <pre>{@code
 * class Tenants implements MessageObservationConvention {
 *     @Override
 *     public KeyValues getHighCardinalityKeyValues(MessageObservationContext context) {
 *         return context.message() instanceof Order order
 *                 ? KeyValues.of("tenant", order.tenant())
 *                 : KeyValues.empty();
 *     }
 * }
 * }</pre>
 *
 * <p>The methods are called on the threads of actors, before and after each observed message. If one of them throws
 * before the message, the exception is logged, and the message is handled without a context.
 */
public interface MessageObservationConvention extends ObservationConvention<MessageObservationContext> {

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof MessageObservationContext;
    }

    /** Returns {@code fibry.message}. */
    @Override
    default String getName() {
        return "fibry.message";
    }

    /** Returns the name of the actor and the type of the message; the type alone if the actor has no name. */
    @Override
    default String getContextualName(MessageObservationContext context) {
        String type = typeOf(context.message());
        return context.actor() == null ? type : context.actor() + " " + type;
    }

    /**
     * Returns {@code actor}, the name of the actor or {@code none}, and {@code message}, the type of the message.
     * Metrics of observations have these tags: if actors are named after users or sessions, override this method.
     */
    @Override
    default KeyValues getLowCardinalityKeyValues(MessageObservationContext context) {
        String actor = context.actor();
        return KeyValues.of("actor", actor == null ? "none" : actor, "message", typeOf(context.message()));
    }

    /**
     * Returns the name of the message's class without its package, such as {@code Order} or {@code Shop$1};
     * {@code lambda} for a lambda, whose class has a different name in each run.
     */
    static String typeOf(Object message) {
        Class<?> type = message.getClass();
        if (type.isHidden()) {
            return "lambda";
        }
        String simple = type.getSimpleName();
        return simple.isEmpty() ? type.getName().substring(type.getName().lastIndexOf('.') + 1) : simple;
    }
}
