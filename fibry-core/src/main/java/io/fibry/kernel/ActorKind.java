package io.fibry.kernel;

import io.fibry.Supervision;
import io.fibry.dispatch.Dispatcher;

/**
 * The state shared by all actors of one builder configuration, so that each actor needs only one reference. Immutable.
 */
record ActorKind(LocalSystem system, Dispatcher dispatcher, Supervision supervision) {

    MessageCounts counts() {
        return system.counts();
    }
}
