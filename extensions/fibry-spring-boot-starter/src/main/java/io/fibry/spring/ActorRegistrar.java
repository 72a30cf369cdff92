package io.fibry.spring;

import io.fibry.ActorContext;
import io.fibry.spring.FibryActor.OnFailure;
import java.util.HashMap;
import java.util.Map;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.PropertyResolver;

/**
 * Defines an actor bean for each bean with {@link FibryActor}, with its full generic type for injection.
 *
 * <p>It runs after the conditions of all auto-configurations: an actor is an {@code Executor}, and Spring Boot would
 * otherwise use it as the application's executor.
 */
final class ActorRegistrar implements BeanDefinitionRegistryPostProcessor {

    /** The bean name of the {@link ActorFactory}. */
    static final String FACTORY = "fibryActorFactory";

    /** The attribute of bean definitions added by this class. */
    static final String DEFINED_HERE = FibryActor.class.getName();

    private final PropertyResolver properties;

    /** @param properties the values of placeholders */
    ActorRegistrar(PropertyResolver properties) {
        this.properties = properties;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        ObjectFactory<ActorContext<?>> current = CurrentContext::get;
        beans.registerResolvableDependency(ActorContext.class, current);
    }

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        if (!(registry instanceof ConfigurableListableBeanFactory beans)) {
            throw new IllegalStateException("@FibryActor needs a bean factory that lists its beans, not " + registry);
        }
        Map<String, String> beanOfActor = new HashMap<>();
        for (String bean : registry.getBeanDefinitionNames()) {
            FibryActor actor = ScopedProxyUtils.isScopedTarget(bean)
                    ? null
                    : beans.findAnnotationOnBean(bean, FibryActor.class, false);
            if (actor != null) {
                var attributes = ActorAttributes.of(bean, actor, properties);
                String other = beanOfActor.put(attributes.name(), bean);
                if (other != null) {
                    throw new InvalidActorException(
                            "The actors of the beans '" + other + "' and '" + bean + "' have the same name, '"
                                    + attributes.name() + "'.",
                            "Give each @FibryActor a name of its own.");
                }
                check(bean, actor, attributes, registry.getBeanDefinition(bean));
                define(bean, attributes.qualifier(), registry, beans);
            }
        }
    }

    private static void check(String bean, FibryActor actor, ActorAttributes attributes, BeanDefinition behavior) {
        if (attributes.capacity() == 0 && actor.overflow() != io.fibry.Overflow.BLOCK) {
            throw new InvalidActorException(
                    "The actor of the bean '" + bean + "' has overflow = " + actor.overflow()
                            + ", but its mailbox has no limit.",
                    "Set capacity to the number of messages that may wait, or leave overflow out.");
        }
        if (actor.onFailure() == OnFailure.RESTART && !behavior.isPrototype()) {
            throw new InvalidActorException(
                    "The actor of the bean '" + bean
                            + "' has onFailure = RESTART, but there is only one instance of its"
                            + " behavior, so a restart would go on with the same state.",
                    "Add @Scope(\"prototype\") to the bean, or use OnFailure.RESUME or STOP.");
        }
    }

    private static void define(
            String bean, String qualifier, BeanDefinitionRegistry registry, ConfigurableListableBeanFactory beans) {
        var behavior = registry.getBeanDefinition(bean);
        if (behavior instanceof AbstractBeanDefinition definition) {
            definition.setDefaultCandidate(false);
        }
        String actorBean = bean + "Actor";
        if (registry.containsBeanDefinition(actorBean)) {
            throw new InvalidActorException(
                    "The actor of the bean '" + bean + "' cannot be defined: there is another bean '" + actorBean
                            + "'.",
                    "Rename one of them.");
        }
        var type = BehaviorType.of(bean, type(bean, beans));
        ContextParameters.check(bean, type, beans);
        registry.registerBeanDefinition(actorBean, definition(bean, qualifier, behavior, type));
    }

    private static RootBeanDefinition definition(
            String bean, String qualifier, BeanDefinition behavior, BehaviorType type) {
        var actor = new RootBeanDefinition();
        actor.setTargetType(type.actor());
        actor.setFactoryBeanName(FACTORY);
        actor.setFactoryMethodName(type.replies() ? "replyActor" : "actor");
        actor.getConstructorArgumentValues().addIndexedArgumentValue(0, bean);
        actor.addQualifier(new AutowireCandidateQualifier(Qualifier.class, qualifier));
        actor.setPrimary(behavior.isPrimary());
        if (behavior.isLazyInit()) { // otherwise it stays open, and spring.main.lazy-initialization decides
            actor.setLazyInit(true);
        }
        actor.setDestroyMethodName(""); // stopped with its system, which has a deadline
        actor.setResourceDescription("@FibryActor at the bean '" + bean + "'");
        actor.setAttribute(DEFINED_HERE, true);
        if (behavior.isSingleton()) {
            actor.setDependsOn(bean); // created before the actor, destroyed after it
        }
        return actor;
    }

    /** Returns the declared type with its type arguments, if any. */
    private static ResolvableType type(String bean, ConfigurableListableBeanFactory beans) {
        Class<?> type = beans.getType(bean, false);
        ResolvableType declared = beans.getMergedBeanDefinition(bean).getResolvableType();
        Class<?> raw = declared.resolve();
        if (type == null || (raw != null && raw.isAssignableFrom(type) && declared.hasGenerics())) {
            return declared;
        }
        return ResolvableType.forClass(type);
    }
}
