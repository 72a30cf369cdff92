package io.fibry.spring;

import io.fibry.Actor;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Executor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Makes Spring Boot define its task executor if actors are the only executors of the application. Spring Boot omits it
 * if there is any executor, unless a property enforces it; the property is set here, with the lowest precedence.
 *
 * <p>Runs after the beans of the application have been defined, and before the condition of Spring Boot is evaluated.
 */
final class SpringBootExecutor implements ImportBeanDefinitionRegistrar {

    private static final String MODE = "spring.task.execution.mode";

    private static final String[] NONE = {};

    private final Environment environment;
    private final BeanFactory beans;

    SpringBootExecutor(Environment environment, BeanFactory beans) {
        this.environment = environment;
        this.beans = beans;
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        if (environment instanceof ConfigurableEnvironment e && !e.containsProperty(MODE) && onlyActorsAreExecutors()) {
            e.getPropertySources().addLast(new MapPropertySource("fibry", Map.of(MODE, "force")));
        }
    }

    private boolean onlyActorsAreExecutors() {
        String[] executors =
                beans instanceof ListableBeanFactory all ? all.getBeanNamesForType(Executor.class, true, false) : NONE;
        return executors.length > 0 && Arrays.stream(executors).allMatch(name -> beans.isTypeMatch(name, Actor.class));
    }
}
