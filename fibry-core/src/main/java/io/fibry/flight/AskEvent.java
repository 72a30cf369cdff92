package io.fibry.flight;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;
import org.jspecify.annotations.Nullable;

/** An ask has completed. */
@Name("fibry.Ask")
@Label("Ask")
@Description("An ask completed, by a reply or a failure; from the ask to the reply")
@Threshold("20 ms")
final class AskEvent extends ActorEvent {

    @Label("Message Type")
    @Description("The class of the message")
    @Nullable
    Class<?> messageType;

    @Label("Asker")
    @Description("The actor that asked; null if the ask came from outside the actors")
    @Nullable
    String asker;

    @Label("Asking Thread")
    @Nullable
    Thread askingThread;

    @Label("Failure")
    @Description("The class of the exception that ended the ask; null if there was a reply")
    @Nullable
    Class<?> failure;
}
