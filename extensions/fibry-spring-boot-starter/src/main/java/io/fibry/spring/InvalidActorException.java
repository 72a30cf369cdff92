package io.fibry.spring;

import org.springframework.beans.FatalBeanException;

/** Thrown for an invalid use of {@link FibryActor}, and for an invalid property. */
final class InvalidActorException extends FatalBeanException {

    private static final long serialVersionUID = 1L;

    private final String problem;
    private final String action;

    InvalidActorException(String problem, String action) {
        super(problem + ' ' + action);
        this.problem = problem;
        this.action = action;
    }

    String problem() {
        return problem;
    }

    String action() {
        return action;
    }
}
