package io.fibry.schedule;

import io.fibry.dispatch.Control;
import io.fibry.dispatch.LogText;
import org.jspecify.annotations.Nullable;

/** Thrown when a schedule cannot continue, because the due time of its next run cannot be computed. */
final class PlanFailedException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    PlanFailedException(String message, @Nullable Throwable cause) {
        super(LogText.plain(message), cause);
    }

    /**
     * Returns the exception for a failure of the planning, which may be this exception already. An
     * {@link OutOfMemoryError} is thrown instead, because the caller repeats the step.
     */
    static PlanFailedException of(String message, Throwable failure) {
        if (failure instanceof OutOfMemoryError || failure instanceof Control.Over) {
            throw (Error) failure;
        }
        return failure instanceof PlanFailedException known ? known : new PlanFailedException(message, failure);
    }
}
