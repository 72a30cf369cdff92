package io.fibry.schedule;

import io.fibry.dispatch.LogText;
import org.jspecify.annotations.Nullable;

/** Thrown when a schedule cannot continue, because the due time of its next run cannot be computed. */
final class PlanFailedException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    PlanFailedException(String message, @Nullable Throwable cause) {
        super(LogText.plain(message), cause);
    }
}
