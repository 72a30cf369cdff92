package io.fibry.spring;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.beans.factory.aot.BeanRegistrationExcludeFilter;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.context.annotation.Bean;

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
}
