package io.fibry.spring;

import org.springframework.beans.factory.aot.BeanRegistrationExcludeFilter;
import org.springframework.beans.factory.support.RegisteredBean;

/**
 * Leaves the actors out of ahead-of-time processing. The code that it would write for them stands in this package, where it could not
 * name message types that are not public. {@link ActorRegistrar} defines them at run time, as always.
 */
final class ActorsAtRunTime implements BeanRegistrationExcludeFilter {

    @Override
    public boolean isExcludedFromAotProcessing(RegisteredBean bean) {
        return bean.getMergedBeanDefinition().hasAttribute(ActorRegistrar.DEFINED_HERE);
    }
}
