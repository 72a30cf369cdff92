package io.fibry.spring;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingConsumer;
import io.fibry.ThrowingFunction;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.env.PropertyResolver;

/** Creates the actors that {@link ActorRegistrar} has defined. Its methods are factory methods, referenced by name. */
final class ActorFactory {

    private final ListableBeanFactory beans;
    private final ObjectProvider<ActorSystem> system;
    private final SystemLifecycle lifecycle;
    private final PropertyResolver properties;

    ActorFactory(
            ListableBeanFactory beans,
            ObjectProvider<ActorSystem> system,
            SystemLifecycle lifecycle,
            PropertyResolver properties) {
        this.beans = beans;
        this.system = system;
        this.lifecycle = lifecycle;
        this.properties = properties;
    }

    ReplyActor<Object, Object> replyActor(String bean) {
        ActorBuilder<Object> builder = builder(bean, annotation(bean));
        return lifecycle.created(
                beans.isPrototype(bean)
                        ? builder.<Object, Object>newActorWithReturnFrom(
                                context -> CurrentContext.with(context, () -> function(bean)))
                        : builder.newActorWithReturn(function(bean)),
                system.getObject());
    }

    Actor<Object> actor(String bean) {
        ActorBuilder<Object> builder = builder(bean, annotation(bean));
        return lifecycle.created(
                beans.isPrototype(bean)
                        ? builder.<Object>newActorFrom(context -> CurrentContext.with(context, () -> consumer(bean)))
                        : builder.newActor(consumer(bean)),
                system.getObject());
    }

    private FibryActor annotation(String bean) {
        return Objects.requireNonNull(beans.findAnnotationOnBean(bean, FibryActor.class), bean);
    }

    private ActorBuilder<Object> builder(String bean, FibryActor actor) {
        var attributes = ActorAttributes.of(bean, actor, properties);
        ActorBuilder<Object> builder = system.getObject().actor(attributes.name());
        if (attributes.capacity() > 0) {
            builder.bounded(attributes.capacity(), actor.overflow());
        }
        switch (actor.strategy()) {
            case SYSTEM -> {}
            case VIRTUAL -> builder.strategy(ThreadStrategy.virtual());
            case PLATFORM -> builder.strategy(ThreadStrategy.platform());
        }
        return builder.supervision(
                switch (actor.onFailure()) {
                    case RESUME -> Supervision.resume();
                    case RESTART -> Supervision.restart();
                    case STOP -> Supervision.stop();
                });
    }

    @SuppressWarnings("unchecked") // the type of the actor's bean has the same type arguments
    private ThrowingFunction<Object, Object> function(String bean) {
        return switch (beans.getBean(bean)) {
            case ThrowingFunction<?, ?> function -> (ThrowingFunction<Object, Object>) function;
            case Object function -> ((Function<Object, Object>) function)::apply;
        };
    }

    @SuppressWarnings("unchecked") // as above
    private ThrowingConsumer<Object> consumer(String bean) {
        return switch (beans.getBean(bean)) {
            case ThrowingConsumer<?> consumer -> (ThrowingConsumer<Object>) consumer;
            case Object consumer -> ((Consumer<Object>) consumer)::accept;
        };
    }
}
