package io.fibry.spring;

import io.fibry.ActorSystem;
import io.fibry.dispatch.LogText;
import io.fibry.durable.RunningProjection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Publishes the metrics of each bean that is a running projection, in the only or primary system. */
final class ProjectionPublisher implements BeanPostProcessor {

    private static final Logger LOG = LoggerFactory.getLogger(ProjectionPublisher.class);

    private final ObjectProvider<ActorSystem> system;

    ProjectionPublisher(ObjectProvider<ActorSystem> system) {
        this.system = system;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof RunningProjection projection) {
            system.ifUnique(only -> publish(projection, only));
        }
        return bean;
    }

    private static void publish(RunningProjection projection, ActorSystem system) {
        try {
            projection.publishMetrics(system);
        } catch (IllegalStateException e) { // a projection without metrics is no reason to fail the start
            LOG.warn("The projection {} has no metrics.", LogText.plain(projection.name()), e);
        }
    }
}
