package io.fibry.spring;

import io.fibry.Actor;
import java.util.Arrays;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;

/**
 * Warns if Spring Boot uses an actor as the application's executor. An actor bean of the application is an
 * {@link Executor}, which makes Spring Boot omit its own, and {@code @Async} methods create a platform thread per call.
 */
final class ExecutorCheck implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(ExecutorCheck.class);

    private final ConfigurableListableBeanFactory beans;

    ExecutorCheck(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        String[] executors = beans.getBeanNamesForType(Executor.class, false, false);
        String[] actors = beans.getBeanNamesForType(Actor.class, false, false);
        boolean springBootDefinesOne = beans.getBeanNamesForType(TaskExecutionAutoConfiguration.class).length > 0;
        if (springBootDefinesOne && actors.length > 0 && executors.length == actors.length) {
            LOG.warn(
                    "Spring Boot has defined no task executor: it takes an actor for one, of the beans {}. Set"
                            + " spring.task.execution.mode=force, or fibry.task-executor.enabled=true",
                    Arrays.toString(actors));
        }
    }
}
