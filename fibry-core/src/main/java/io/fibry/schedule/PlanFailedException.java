package io.fibry.schedule;

import org.jspecify.annotations.Nullable;

/** A schedule cannot go on, since it does not know when its next run is due. */
final class PlanFailedException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    PlanFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
