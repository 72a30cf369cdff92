package io.fibry.spring.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.spring.FibryActor;
import io.fibry.spring.FibryAutoConfiguration;
import io.fibry.test.TestSystem;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.TestExecutionListeners;

/** The begin and the end of test systems, with the calls that JUnit makes. */
@Timeout(120)
class TestSystemListenerTest {

    @ImportAutoConfiguration(FibryAutoConfiguration.class)
    static class Shop {
        @Bean
        @FibryActor
        Consumer<String> numbers() {
            return text -> Integer.parseInt(text);
        }
    }

    /** As a test class; its method is never called. */
    @SpringBootTest(classes = Shop.class, webEnvironment = WebEnvironment.NONE)
    @AutoConfigureTestSystem
    static class WithTestSystem {
        @Autowired
        TestSystem test;

        @Autowired
        ActorSystem system;

        @Autowired
        Actor<String> numbers;

        void method() {}
    }

    private static Method method() throws NoSuchMethodException {
        return WithTestSystem.class.getDeclaredMethod("method");
    }

    /** Checks that the thread is under no control. */
    private static void assertFree() {
        TestSystem.create().close();
    }

    @Test
    void anUnexpectedFailureOfAnActorFailsTheMethodAndNotTheNextOne() throws Exception {
        var manager = new TestContextManager(WithTestSystem.class);
        var instance = new WithTestSystem();
        manager.prepareTestInstance(instance);
        manager.beforeTestMethod(instance, method());
        instance.numbers.tell("ten");
        var failure = assertThrows(AssertionError.class, () -> manager.afterTestMethod(instance, method(), null));
        assertTrue(failure.getMessage().contains("actor numbers failed to handle ten"), failure::getMessage);
        assertFree();

        var next = new WithTestSystem();
        manager.prepareTestInstance(next);
        manager.beforeTestMethod(next, method());
        next.numbers.tell("10");
        manager.afterTestMethod(next, method(), null);
        assertTrue(next.system.isClosing());
        assertFree();
    }

    @Test
    void acceptedMessagesAreHandledBeforeTheEnd() throws Exception {
        var manager = new TestContextManager(WithTestSystem.class);
        var instance = new WithTestSystem();
        manager.prepareTestInstance(instance);
        manager.beforeTestMethod(instance, method());
        instance.numbers.tell("10");
        manager.afterTestMethod(instance, method(), null);
        assertEquals(1, instance.system.stats().handled());
        assertEquals(0, instance.system.stats().dead());
    }

    @Test
    void anInstanceWithSeveralMethodsGetsNewBeansForEach() throws Exception {
        var manager = new TestContextManager(WithTestSystem.class);
        var instance = new WithTestSystem();
        manager.prepareTestInstance(instance);
        manager.beforeTestMethod(instance, method());
        TestSystem first = instance.test;
        manager.afterTestMethod(instance, method(), null);
        manager.beforeTestMethod(instance, method());
        assertNotSame(first, instance.test);
        instance.numbers.tell("10");
        instance.test.runUntilIdle();
        manager.afterTestMethod(instance, method(), null);
        assertFree();
    }

    static class BrokenShop {
        @Bean
        String broken() {
            throw new IllegalStateException("no database");
        }
    }

    @SpringBootTest(classes = BrokenShop.class, webEnvironment = WebEnvironment.NONE)
    @AutoConfigureTestSystem
    static class Broken {}

    @Test
    void aContextThatDoesNotStartReleasesTheThread() throws Exception {
        var manager = new TestContextManager(Broken.class);
        var failure = new AtomicReference<Throwable>();
        // Spring Boot replaces the handler of the main thread only, which has this name.
        var main = new Thread(
                null,
                () -> {
                    failure.set(
                            assertThrows(IllegalStateException.class, () -> manager.prepareTestInstance(new Broken())));
                    assertFree();
                    failure.get().addSuppressed(new Error("the thread is free"));
                },
                "main");
        main.start();
        main.join();
        assertTrue(failure.get().getMessage().contains("Failed to load ApplicationContext"), failure::toString);
        assertEquals(1, failure.get().getSuppressed().length);
        assertEquals("the thread is free", failure.get().getSuppressed()[0].getMessage());
    }

    /** A class of its own: Spring does not load the context of {@link Shop} again after a failure. */
    static class OtherShop {}

    @SpringBootTest(classes = OtherShop.class, webEnvironment = WebEnvironment.NONE)
    @AutoConfigureTestSystem
    @TestExecutionListeners({})
    static class WithoutListener {}

    @Test
    void aContextWithoutATestSystemFailsWithTheRemedy() {
        var manager = new TestContextManager(WithoutListener.class);
        Throwable failure = assertThrows(
                IllegalStateException.class, () -> manager.getTestContext().getApplicationContext());
        while (failure.getCause() != null) {
            failure = failure.getCause();
        }
        assertTrue(failure.getMessage().contains("let @TestExecutionListeners merge with the defaults"));
    }

    @Test
    void aContextOfAnotherThreadFailsWithTheRemedy() throws Exception {
        var manager = new TestContextManager(WithTestSystem.class);
        var instance = new WithTestSystem();
        manager.prepareTestInstance(instance);
        var failure = new AtomicReference<Throwable>();
        Thread.ofPlatform()
                .start(() -> failure.set(assertThrows(
                        IllegalStateException.class, () -> manager.prepareTestInstance(new WithTestSystem()))))
                .join();
        assertTrue(failure.get().getMessage().contains("SAME_THREAD"), failure::toString);
        instance.numbers.tell("10");
        manager.afterTestMethod(instance, method(), null);
        assertEquals(1, instance.system.stats().handled());
    }

    @SpringBootTest(classes = Shop.class, webEnvironment = WebEnvironment.NONE)
    static class Plain {
        @Autowired
        ApplicationContext context;

        void method() {}
    }

    @Test
    void otherTestsHaveNoTestSystemAndKeepTheirContexts() throws Exception {
        var manager = new TestContextManager(Plain.class);
        var instance = new Plain();
        manager.prepareTestInstance(instance);
        manager.beforeTestMethod(instance, Plain.class.getDeclaredMethod("method"));
        assertEquals(0, instance.context.getBeansOfType(TestSystem.class).size());
        manager.afterTestMethod(instance, Plain.class.getDeclaredMethod("method"), null);
        var next = new Plain();
        manager.prepareTestInstance(next);
        assertSame(instance.context, next.context);
        assertTrue(
                instance.context.getBean(ActorSystem.class).actors().findAny().isPresent());
    }
}
