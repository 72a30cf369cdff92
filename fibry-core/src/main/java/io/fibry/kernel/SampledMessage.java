package io.fibry.kernel;

import io.fibry.Actor;
import org.jspecify.annotations.Nullable;

/** A message that has been chosen for measurement: see {@link MessageTap}. */
public interface SampledMessage {

    /** The actor that sent the message; null if it came from outside the actors. */
    @Nullable
    Actor<?> sentBy();

    /** The class of the message. */
    Class<?> type();

    /** Whether the message is an ask. */
    boolean isAsk();
}
