package io.fibry.spring;

import io.fibry.ActorSystem;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.task.TaskDecorator;

/** Replaces Spring Boot's task executor by the actor system if a property enables it. */
@AutoConfiguration(after = FibryAutoConfiguration.class, before = TaskExecutionAutoConfiguration.class)
@ConditionalOnBooleanProperty("fibry.task-executor.enabled")
final class FibryTaskExecutorAutoConfiguration {

    @Bean(TaskExecutionAutoConfiguration.APPLICATION_TASK_EXECUTOR_BEAN_NAME)
    @ConditionalOnMissingBean(name = TaskExecutionAutoConfiguration.APPLICATION_TASK_EXECUTOR_BEAN_NAME)
    static SystemTaskExecutor applicationTaskExecutor(ActorSystem system, ObjectProvider<TaskDecorator> decorators) {
        return new SystemTaskExecutor(system, decorators.orderedStream().toList());
    }
}
