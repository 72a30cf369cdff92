package io.fibry.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a wrong use of {@link FibryActor} as Spring Boot shows its own reasons why an application does not start. */
final class InvalidActorAnalyzer extends AbstractFailureAnalyzer<InvalidActorException> {

    @Override
    protected FailureAnalysis analyze(Throwable failure, InvalidActorException cause) {
        return new FailureAnalysis(cause.problem(), cause.action(), failure);
    }
}
