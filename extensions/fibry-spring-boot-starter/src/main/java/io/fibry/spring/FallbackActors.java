package io.fibry.spring;

import io.fibry.Actor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Marks the actors as fallbacks: a dependency on an {@link java.util.concurrent.Executor} gets another executor if
 * there is one. A dependency on an actor is not affected, since all its candidates are fallbacks.
 */
final class FallbackActors implements BeanFactoryPostProcessor {

    FallbackActors() {}

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        for (String name : beans.getBeanNamesForType(Actor.class, true, false)) {
            if (beans.containsBeanDefinition(name)) {
                BeanDefinition definition = beans.getBeanDefinition(name);
                definition.setFallback(!definition.isPrimary());
            }
        }
    }
}
