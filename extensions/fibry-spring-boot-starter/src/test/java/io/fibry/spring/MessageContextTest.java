package io.fibry.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.ContextCarrier;
import io.fibry.ReplyActor;
import io.micrometer.context.ContextRegistry;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;

/** Context propagation from senders to handlers. */
@Timeout(60)
class MessageContextTest {

    private static final ThreadLocal<String> TENANT = new ThreadLocal<>();
    private static final ThreadLocal<String> USER = new ThreadLocal<>();

    static class Actors {
        @Bean
        @FibryActor
        Function<String, String> whoAmI() {
            return text -> MDC.get("request") + " " + TENANT.get() + " " + USER.get();
        }
    }

    static class OwnCarrier {
        @Bean
        ContextCarrier user() {
            return () -> {
                String sender = USER.get();
                return () -> {
                    USER.set(sender);
                    return USER::remove;
                };
            };
        }
    }

    record Client(ReplyActor<String, String> whoAmI) {}

    private static void assertCarries(String expected, ApplicationContextRunner contexts) {
        ContextRegistry.getInstance().registerThreadLocalAccessor("tenant", TENANT);
        MDC.put("request", "r1");
        TENANT.set("acme");
        USER.set("Ada");
        try {
            contexts.run(context -> assertEquals(
                    expected, context.getBean(Client.class).whoAmI.ask("").get()));
        } finally {
            MDC.clear();
            TENANT.remove();
            USER.remove();
            ContextRegistry.getInstance().removeThreadLocalAccessor("tenant");
        }
    }

    @Test
    void noContextIsCarriedByDefault() {
        assertCarries("null null null", Contexts.with(Actors.class, Client.class));
    }

    @Test
    void theLogContext() {
        assertCarries(
                "r1 null null", Contexts.with(Actors.class, Client.class).withPropertyValues("fibry.context=mdc"));
    }

    @Test
    void micrometerCarriesItsRegisteredValues() {
        assertCarries(
                "null acme null",
                Contexts.with(Actors.class, Client.class).withPropertyValues("fibry.context=micrometer"));
    }

    @Test
    void bothAndACarrierOfTheApplication() {
        assertCarries(
                "r1 acme Ada",
                Contexts.with(Actors.class, OwnCarrier.class, Client.class)
                        .withPropertyValues("fibry.context=mdc,micrometer"));
    }
}
