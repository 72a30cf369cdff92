package io.fibry.flight;

/** The beginning of a wait, of a handler or of an ask: a shared {@link Moment}, or an event with the exact time. */
public interface EventStart {}
