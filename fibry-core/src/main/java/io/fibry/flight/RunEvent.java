package io.fibry.flight;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

/** A handler has run. */
@Name("fibry.MessageRun")
@Label("Message Run")
@Description("A handler ran for a message, with all its waits")
@Threshold("20 ms")
final class RunEvent extends MessageEvent {}
