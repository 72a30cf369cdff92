package io.fibry.spring;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.beans.factory.aot.BeanRegistrationExcludeFilter;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

/** Actors are defined at run time, also after ahead-of-time processing. */
class AheadOfTimeTest {

    static class Shop {
        @Bean
        @FibryActor
        Function<Integer, Integer> doubling() {
            return n -> 2 * n;
        }
    }

    @Test
    void actorsAreLeftOutAndTheirBehaviorsAreNot() {
        var filter = AotServices.factories().load(BeanRegistrationExcludeFilter.class).stream()
                .filter(ActorsAtRunTime.class::isInstance)
                .findFirst()
                .orElseThrow();
        Contexts.with(Shop.class).run(context -> {
            var beans = context.getSourceApplicationContext().getBeanFactory();
            assertTrue(filter.isExcludedFromAotProcessing(RegisteredBean.of(beans, "doublingActor")));
            assertFalse(filter.isExcludedFromAotProcessing(RegisteredBean.of(beans, "doubling")));
        });
    }

    /** Processes the starter with these classes ahead of time, as the build of an application does. */
    private static RuntimeHints process(Class<?>... configurations) {
        try (var context = new AnnotationConfigApplicationContext()) {
            TestPropertyValues.of("management.endpoints.web.exposure.include=fibry")
                    .applyTo(context);
            context.register(configurations);
            context.register(FibryAutoConfiguration.class, FibryEndpointAutoConfiguration.class);
            var names = new ClassNameGenerator(ClassName.get(AheadOfTimeTest.class));
            var generation = new DefaultGenerationContext(names, new InMemoryGeneratedFiles());
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            return generation.getRuntimeHints();
        }
    }

    @Test
    void hintsCoverTheOperationsOfTheEndpoint() {
        RuntimeHints hints = process(Shop.class);
        var reflection = RuntimeHintsPredicates.reflection();
        for (String operation : new String[] {"views", "view", "textView"}) {
            assertTrue(
                    reflection
                            .onMethodInvocation(FibryEndpoint.class, operation)
                            .test(hints),
                    operation);
        }
    }
}
