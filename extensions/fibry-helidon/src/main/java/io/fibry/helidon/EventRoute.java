package io.fibry.helidon;

/** A source of events at its path. */
record EventRoute(String path, ServerEvents events) {}
