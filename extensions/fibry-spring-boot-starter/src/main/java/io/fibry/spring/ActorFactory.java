package io.fibry.spring;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingConsumer;
import io.fibry.ThrowingFunction;
import io.fibry.spring.FibryActor.OnFailure;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/** Creates the actors that {@link ActorRegistrar} has defined. Its methods are factory methods, referenced by name. */
final class ActorFactory {

    private final ListableBeanFactory beans;
    private final ObjectProvider<ActorSystem> system;

    ActorFactory(ListableBeanFactory beans, ObjectProvider<ActorSystem> system) {
        this.beans = beans;
        this.system = system;
    }

    static String nameOf(FibryActor actor, String bean) {
        return actor.name().isBlank() ? bean : actor.name();
    }

    ReplyActor<Object, Object> replyActor(String bean) {
        FibryActor actor = annotation(bean);
        if (actor.onFailure() == OnFailure.RESTART) {
            return builder(bean, actor).<Object, Object>newActorWithReturnFrom(context -> function(bean));
        }
        return builder(bean, actor).newActorWithReturn(function(bean));
    }

    Actor<Object> actor(String bean) {
        FibryActor actor = annotation(bean);
        if (actor.onFailure() == OnFailure.RESTART) {
            return builder(bean, actor).<Object>newActorFrom(context -> consumer(bean));
        }
        return builder(bean, actor).newActor(consumer(bean));
    }

    private FibryActor annotation(String bean) {
        return Objects.requireNonNull(beans.findAnnotationOnBean(bean, FibryActor.class), bean);
    }

    private ActorBuilder<Object> builder(String bean, FibryActor actor) {
        ActorBuilder<Object> builder = system.getObject().actor(nameOf(actor, bean));
        if (actor.capacity() > 0) {
            builder.bounded(actor.capacity(), actor.overflow());
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
