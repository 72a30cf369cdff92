package io.fibry.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Reports an {@link InvalidActorException} in the format of Spring Boot's failure analysis. It is the first analyzer:
 * Spring Boot's own one for the binding of properties would otherwise report an invalid property without the remedy.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class InvalidActorAnalyzer extends AbstractFailureAnalyzer<InvalidActorException> {

    @Override
    protected FailureAnalysis analyze(Throwable failure, InvalidActorException cause) {
        return new FailureAnalysis(cause.problem(), cause.action(), failure);
    }
}
