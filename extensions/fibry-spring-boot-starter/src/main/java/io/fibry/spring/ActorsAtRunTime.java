package io.fibry.spring;

import org.springframework.beans.factory.aot.BeanRegistrationExcludeFilter;
import org.springframework.beans.factory.support.RegisteredBean;

/**
 * Excludes the actors from ahead-of-time processing. The generated code would be in this package and could not refer to
 * non-public message types. {@link ActorRegistrar} defines the actors at run time.
 */
final class ActorsAtRunTime implements BeanRegistrationExcludeFilter {

    @Override
    public boolean isExcludedFromAotProcessing(RegisteredBean bean) {
        return bean.getMergedBeanDefinition().hasAttribute(ActorRegistrar.DEFINED_HERE);
    }
}
