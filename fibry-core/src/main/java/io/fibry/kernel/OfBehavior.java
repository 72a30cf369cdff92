package io.fibry.kernel;

import io.fibry.dispatch.BehaviorResource;

/** A resource that belongs to the current behavior of an actor: closed by the next restart, or by the end. */
record OfBehavior(BehaviorResource resource) implements AutoCloseable {

    @Override
    public void close() {
        resource.close();
    }

    /** The resource as a restart closes it. */
    AutoCloseable atRestart(long deadline) {
        return new AtRestart(resource, deadline);
    }

    /** Not a lambda, which may be linked for the first time while memory is exhausted. */
    private record AtRestart(BehaviorResource resource, long deadline) implements AutoCloseable {
        @Override
        public void close() {
            resource.closeAtRestart(deadline);
        }
    }
}
