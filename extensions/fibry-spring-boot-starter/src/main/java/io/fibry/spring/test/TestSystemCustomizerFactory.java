package io.fibry.spring.test;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.util.ClassUtils;

/** Defines the test system as a bean. The contexts have a key of their own in the cache of Spring. */
final class TestSystemCustomizerFactory implements ContextCustomizerFactory {

    @Override
    public @Nullable ContextCustomizer createContextCustomizer(
            Class<?> test, List<ContextConfigurationAttributes> attributes) {
        if (!TestContextAnnotationUtils.hasAnnotation(test, AutoConfigureTestSystem.class)) {
            return null;
        }
        if (!ClassUtils.isPresent("io.fibry.test.TestSystem", test.getClassLoader())) {
            throw new IllegalStateException(test.getName()
                    + " has @AutoConfigureTestSystem, but fibry-test is not on the class path: add the dependency"
                    + " io.fibry:fibry-test with the scope of tests");
        }
        return new Customizer();
    }

    /** A record: equal to all others, as a part of the key of the cache. */
    private record Customizer() implements ContextCustomizer {
        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
            context.getBeanFactory().registerSingleton("fibryTestSystem", TestSystemListener.current());
        }
    }
}
