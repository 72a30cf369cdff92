package io.fibry.spring.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorContext;
import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import io.fibry.spring.FibryActor;
import io.fibry.test.TestSystem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Scope;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.result.MockMvcResultMatchers;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;

/** The actors of a context run in virtual time, and each method has its own context. */
@Timeout(120)
@SpringBootTest(classes = VirtualTimeTest.Shop.class)
@AutoConfigureTestSystem
class VirtualTimeTest {

    @EnableAutoConfiguration
    @Import(Desk.class)
    static class Shop {
        final List<String> log = new ArrayList<>();

        @Bean
        @Scope("prototype")
        @FibryActor
        Consumer<String> session(ActorContext<String> context) {
            context.receiveTimeout(Duration.ofMinutes(5), "idle");
            return log::add;
        }

        @Bean
        @FibryActor
        Function<Integer, Integer> doubling() {
            return n -> 2 * n;
        }
    }

    @RestController
    record Desk(ReplyActor<Integer, Integer> doubling) {
        @GetMapping("/double")
        int twice() throws Exception {
            return doubling.call(4, Duration.ofSeconds(1));
        }
    }

    private static ActorSystem last;

    @Autowired
    private TestSystem test;

    @Autowired
    private ActorSystem system;

    @Autowired
    private Shop shop;

    @Autowired
    @Qualifier("session")
    private Actor<String> session;

    @Test
    void timersUseVirtualTime() {
        session.tell("hello");
        test.advance(Duration.ofMinutes(5).minusNanos(1));
        assertEquals(List.of("hello"), shop.log);
        test.advance(Duration.ofNanos(1));
        assertEquals(List.of("hello", "idle"), shop.log);
    }

    @RepeatedTest(2)
    void eachMethodHasItsOwnContext() {
        session.tell("hello");
        test.runUntilIdle();
        assertEquals(List.of("hello"), shop.log);
        assertFalse(system.isClosing());
        if (last != null) {
            assertNotSame(last, system);
            assertTrue(last.isClosing(), "the context of the method before is closed");
        }
        last = system;
    }

    @Test
    void controllersRunOnTheThreadOfTheTest(@Autowired WebApplicationContext context) throws Exception {
        MockMvcBuilders.webAppContextSetup(context)
                .build()
                .perform(MockMvcRequestBuilders.get("/double"))
                .andExpect(MockMvcResultMatchers.content().string("8"));
    }

    @Nested
    class Inside {
        @Test
        void aNestedTestHasTheSystemOfItsOuterInstance(@Autowired TestSystem own) {
            session.tell("hello");
            own.advance(Duration.ofMinutes(5));
            assertEquals(List.of("hello", "idle"), shop.log);
        }
    }
}
