package io.fibry.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports an invalid use of {@link FibryActor} in the format of Spring Boot's failure analysis. */
final class InvalidActorAnalyzer extends AbstractFailureAnalyzer<InvalidActorException> {

    @Override
    protected FailureAnalysis analyze(Throwable failure, InvalidActorException cause) {
        return new FailureAnalysis(cause.problem(), cause.action(), failure);
    }
}
