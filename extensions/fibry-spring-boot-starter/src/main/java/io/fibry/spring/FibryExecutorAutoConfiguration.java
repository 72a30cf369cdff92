package io.fibry.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/**
 * Makes Spring ignore that an actor is an {@link java.util.concurrent.Executor}: Spring Boot defines its own task
 * executor as if there were no actors, and injects an actor as an {@code Executor} only if there is no other one.
 */
@AutoConfiguration(before = {FibryTaskExecutorAutoConfiguration.class, TaskExecutionAutoConfiguration.class})
@Import(FibryExecutorAutoConfiguration.OfSpringBoot.class)
final class FibryExecutorAutoConfiguration {

    @Bean
    static FallbackActors fibryFallbackActors() {
        return new FallbackActors();
    }

    /** Not if the actor system is the task executor. */
    @ConditionalOnBooleanProperty(name = "fibry.task-executor.enabled", havingValue = false, matchIfMissing = true)
    @Import(SpringBootExecutor.class)
    static final class OfSpringBoot {}
}
