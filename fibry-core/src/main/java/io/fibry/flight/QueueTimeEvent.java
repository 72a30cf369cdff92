package io.fibry.flight;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

/** A message has waited: from its {@code tell} until its handler begins. */
@Name("fibry.MessageWait")
@Label("Message Wait")
@Description("A message waited for its handler, from the moment it was sent, with the wait for room in a full mailbox")
@Threshold("20 ms")
final class QueueTimeEvent extends MessageEvent {}
