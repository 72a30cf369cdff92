package io.fibry;

import io.fibry.dispatch.Dispatcher;

/** What all actors of a kind share, so that each actor needs only one reference to it. Immutable. */
record ActorKind(LocalSystem system, Dispatcher dispatcher, Supervision supervision) {}
