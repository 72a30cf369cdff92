package io.fibry.spring;

import io.fibry.Actor;
import io.fibry.ActorContext;
import io.fibry.ReplyActor;
import io.fibry.ReplyContext;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;

/** Checks the parameters of behaviors that are actor contexts. */
final class ContextParameters {

    private ContextParameters() {}

    /** @throws InvalidActorException if the actor cannot pass its context to the bean */
    static void check(String bean, BehaviorType type, ConfigurableListableBeanFactory beans) {
        ResolvableType[] messages =
                type.actor().as(type.replies() ? ReplyActor.class : Actor.class).getGenerics();
        ResolvableType context =
                ResolvableType.forClassWithGenerics(type.replies() ? ReplyContext.class : ActorContext.class, messages);
        creators(bean, beans).flatMap(ContextParameters::contexts).forEach(parameter -> {
            if (!parameter.isAssignableFrom(context)) {
                throw new InvalidActorException(
                        "The bean '" + bean + "' has a parameter of the type " + parameter
                                + ", but the context of its actor is a " + context + ".",
                        "Change the type of the parameter to " + context + '.');
            }
            if (!beans.isPrototype(bean)) {
                throw new InvalidActorException(
                        "The bean '" + bean + "' has a parameter of the type " + parameter
                                + ", but its actor does not create it.",
                        "Add @Scope(\"prototype\") to the bean: its actor then creates it, with its context.");
            }
        });
    }

    /** Returns the method or the constructors that create the bean. */
    private static Stream<? extends Executable> creators(String bean, ConfigurableListableBeanFactory beans) {
        Class<?> type = beans.getType(bean, false); // also finds the factory method
        Method factory = beans.getMergedBeanDefinition(bean) instanceof RootBeanDefinition definition
                ? definition.getResolvedFactoryMethod()
                : null;
        if (factory != null) {
            return Stream.of(factory);
        }
        return type == null || beans.getMergedBeanDefinition(bean).getFactoryMethodName() != null
                ? Stream.empty() // an overloaded factory method, for instance: CurrentContext checks it later
                : Stream.of(type.getDeclaredConstructors());
    }

    private static Stream<ResolvableType> contexts(Executable creator) {
        return IntStream.range(0, creator.getParameterCount())
                .mapToObj(index -> ResolvableType.forMethodParameter(MethodParameter.forExecutable(creator, index)))
                .filter(parameter -> ActorContext.class.isAssignableFrom(parameter.toClass()));
    }
}
