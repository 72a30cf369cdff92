package io.fibry.kernel;

import io.fibry.ContextCarrier;
import org.jspecify.annotations.Nullable;

/** What a system adds to the messages of its actors. */
interface MessageInstruments {

    /** Propagates the context of senders; null if there is none. */
    @Nullable
    ContextCarrier carrier();

    /** The current taps; null if there are none. */
    @Nullable
    Sampling sampling();
}
