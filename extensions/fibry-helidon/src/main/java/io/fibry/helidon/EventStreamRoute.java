package io.fibry.helidon;

/** A source of events at its path. */
record EventStreamRoute(String path, EventStreams events) {}
