package io.fibry.spring;

import io.fibry.Actor;
import io.fibry.ReplyActor;
import io.fibry.ThrowingConsumer;
import io.fibry.ThrowingFunction;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.core.ResolvableType;

/**
 * The type of an actor, derived from the type of its behavior bean.
 *
 * @param replies whether the actor replies
 * @param actor the type of the actor, with its type arguments
 */
record BehaviorType(boolean replies, ResolvableType actor) {

    private static final List<Class<?>> BEHAVIORS =
            List.of(Function.class, ThrowingFunction.class, Consumer.class, ThrowingConsumer.class);

    /** @throws InvalidActorException if the type does not determine exactly one actor type */
    static BehaviorType of(String bean, ResolvableType type) {
        List<ResolvableType> roles = BEHAVIORS.stream()
                .map(type::as)
                .filter(role -> role != ResolvableType.NONE)
                .toList();
        if (roles.isEmpty()) {
            throw new InvalidActorException(
                    "Bean '" + bean + "' has @FibryActor, but is neither a Function nor a Consumer. It is " + type
                            + ".",
                    "Let it implement java.util.function.Function<M, R> for an actor that replies, or"
                            + " java.util.function.Consumer<M> for one that does not; or remove @FibryActor. The return"
                            + " type of a @Bean method must show it.");
        }
        if (roles.size() > 1) {
            throw new InvalidActorException(
                    "Bean '" + bean + "' has @FibryActor, but could be more than one kind of actor: " + roles + ".",
                    "Let it implement only one of these.");
        }
        return ofRole(bean, roles.getFirst());
    }

    private static BehaviorType ofRole(String bean, ResolvableType role) {
        if (role.hasUnresolvableGenerics()) {
            throw new InvalidActorException(
                    "Bean '" + bean + "' has @FibryActor, but the type of its messages is not known: it is only a "
                            + role + ".",
                    "Declare all type arguments, for instance Function<Order, Receipt>, as the return type of the @Bean"
                            + " method or in the class.");
        }
        boolean replies = role.getGenerics().length == 2;
        Class<?> actor = replies ? ReplyActor.class : Actor.class;
        return new BehaviorType(replies, ResolvableType.forClassWithGenerics(actor, role.getGenerics()));
    }
}
