package io.fibry.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import io.fibry.SystemOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.concurrent.ExecutorConfigurationSupport;

/** The conditions under which the system of a context is closed. */
@Timeout(60)
class LifecycleTest {

    static class Doubling {
        @Bean
        @FibryActor
        Function<Integer, Integer> doubling() {
            return n -> 2 * n;
        }
    }

    record Client(ReplyActor<Integer, Integer> doubling, ActorSystem system) {}

    private static AnnotationConfigApplicationContext context(Class<?>... more) {
        var context = new AnnotationConfigApplicationContext();
        context.register(more); // first, as Spring Boot does with the application's own
        context.register(FibryAutoConfiguration.class);
        return context;
    }

    private static AnnotationConfigApplicationContext started(Class<?>... more) {
        var context = context(more);
        context.refresh();
        return context;
    }

    @Test
    void thePhaseIsAfterWebServersAndExecutorsAndBeforeConnections() {
        assertTrue(SystemLifecycle.PHASE < WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE);
        assertTrue(SystemLifecycle.PHASE < WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE);
        assertTrue(SystemLifecycle.PHASE < ExecutorConfigurationSupport.DEFAULT_PHASE);
        assertTrue(SystemLifecycle.PHASE > 0);
    }

    /** Records its events. */
    static class Witness implements SmartLifecycle, AutoCloseable {
        private final String name;
        private final int phase;
        private final List<String> events;
        private volatile boolean running;

        Witness(String name, int phase, List<String> events) {
            this.name = name;
            this.phase = phase;
            this.events = events;
        }

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
            events.add(name + " stops");
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return phase;
        }

        @Override
        public void close() {
            events.add(name + " is destroyed");
        }
    }

    static class Order {
        final List<String> events = new CopyOnWriteArrayList<>();
        final CountDownLatch serverStops = new CountDownLatch(1);

        @Bean
        Witness connections() {
            return new Witness("connections", 0, events);
        }

        @Bean
        SmartLifecycle server() {
            return new Witness("server", WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE, events) {};
        }

        @Bean
        @FibryActor
        Function<String, Boolean> writing(@Qualifier("connections") Witness connections) {
            return text -> events.add(text + " is handled");
        }
    }

    @Test
    void acceptedMessagesAreHandledWhileTheirBeansLive() {
        var context = started(Order.class);
        var events = context.getBean(Order.class).events;
        @SuppressWarnings("unchecked") // the type of the bean
        var writing = (ReplyActor<String, Boolean>) context.getBean("writingActor");
        writing.execute(
                () -> { // still running when the context is closed, and sends one more message
                    while (!context.getBean(ActorSystem.class).isClosing()) {
                        Thread.onSpinWait();
                    }
                    writing.tell("one");
                });
        context.close();
        assertEquals(
                List.of("server stops", "one is handled", "connections stops", "connections is destroyed"),
                events.stream()
                        .filter(event -> !event.equals("server is destroyed"))
                        .toList());
    }

    @Test
    void aStoppedContextStartsAgainWithTheSameActors() throws Exception {
        var context = started(Doubling.class, Client.class);
        var client = context.getBean(Client.class);
        context.stop();
        assertFalse(client.system.isClosing());
        context.start();
        assertEquals(8, client.doubling.call(4));
        context.stop();
        context.close();
        assertTrue(client.system.isClosing());
    }

    @Test
    void aPausedContextContinues() throws Exception {
        try (var context = started(Doubling.class, Client.class)) {
            context.pause();
            context.restart();
            assertEquals(8, context.getBean(Client.class).doubling.call(4));
        }
    }

    static class Broken {
        @Bean
        SmartLifecycle broken() {
            return new Witness("broken", Integer.MAX_VALUE, List.of()) {
                @Override
                public void start() {
                    throw new IllegalStateException("no port");
                }
            };
        }
    }

    record Remember(ActorSystem system, List<ActorSystem> systems) {
        Remember {
            systems.add(system);
        }
    }

    @Test
    void aContextThatDoesNotStartClosesItsSystem() {
        var systems = new CopyOnWriteArrayList<ActorSystem>();
        var context = context(Broken.class);
        context.registerBean(
                Remember.class, () -> new Remember(context.getBean(ActorSystem.class), systems), definition -> {});
        assertEquals(
                "no port",
                assertThrows(RuntimeException.class, context::refresh)
                        .getCause()
                        .getMessage());
        assertTrue(systems.getFirst().isClosing());
    }

    static class OwnSystem {
        @Bean(destroyMethod = "")
        ActorSystem own() {
            return ActorSystem.create(SystemOptions.defaults().name("own"));
        }
    }

    @Test
    void theApplicationsOwnSystemReplacesTheOther() {
        var context = started(OwnSystem.class, Doubling.class, Client.class);
        var system = context.getBean(Client.class).system;
        assertEquals("own", system.name());
        context.close();
        assertTrue(system.isClosing());
    }

    @Test
    void contextsSideBySideHaveSystemsOfTheirOwn() throws Exception {
        try (var one = started(Doubling.class, Client.class)) {
            var two = started(Doubling.class, Client.class);
            assertNotSame(one.getBean(ActorSystem.class), two.getBean(ActorSystem.class));
            two.close();
            assertEquals(8, one.getBean(Client.class).doubling.call(4));
        }
    }

    @Test
    void aChildUsesTheSystemOfItsParentAndLeavesItOpen() {
        try (ConfigurableApplicationContext parent = started(Doubling.class)) {
            var child = context(Client.class);
            child.setParent(parent);
            child.refresh();
            var system = child.getBean(Client.class).system;
            assertSame(parent.getBean(ActorSystem.class), system);
            child.close();
            assertFalse(system.isClosing());
        }
    }

    @Test
    void theActorsOfAChildEndBeforeItsBeans() {
        try (ConfigurableApplicationContext parent = started(Doubling.class)) {
            for (int i = 0; i < 2; i++) { // the actor of the second child has the same name
                var child = context(Order.class);
                child.setParent(parent);
                child.refresh();
                var events = child.getBean(Order.class).events;
                @SuppressWarnings("unchecked") // the type of the bean
                var writing = (ReplyActor<String, Boolean>) child.getBean("writingActor");
                writing.tell("one");
                child.close();
                assertTrue(writing.exit().isDone());
                assertTrue(events.indexOf("one is handled") < events.indexOf("connections stops"), events::toString);
                assertTrue(events.contains("one is handled"), events::toString);
                assertFalse(parent.getBean(ActorSystem.class).isClosing());
            }
        }
    }

    static class Chain {
        final List<Integer> handled = new CopyOnWriteArrayList<>();

        @Bean
        @FibryActor
        Consumer<Integer> first(@Qualifier("second") Actor<Integer> second) {
            return second::tell;
        }

        @Bean
        @FibryActor
        Consumer<Integer> second() {
            return handled::add;
        }
    }

    @Test
    void anActorOfAChildEndsBeforeTheActorsThatItUses() {
        try (ConfigurableApplicationContext parent = started(Doubling.class)) {
            var child = context(Chain.class);
            child.setParent(parent);
            child.refresh();
            var handled = child.getBean(Chain.class).handled;
            @SuppressWarnings("unchecked") // the type of the bean
            var first = (Actor<Integer>) child.getBean("firstActor");
            List<Integer> sent = IntStream.range(0, 1_000).boxed().toList();
            sent.forEach(first::tell);
            child.close();
            assertEquals(sent, handled);
        }
    }

    @Test
    void theDeadlineIsThatOfThePropertyOrOfSpring() {
        Contexts.with()
                .withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=7s")
                .run(context -> assertEquals(
                        Duration.ofSeconds(7),
                        context.getBean(SystemLifecycle.class).deadline()));
        Contexts.with()
                .withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=7s", "fibry.shutdown-timeout=5s")
                .run(context -> assertEquals(
                        Duration.ofSeconds(5),
                        context.getBean(SystemLifecycle.class).deadline()));
        Contexts.with()
                .run(context -> assertEquals(
                        Duration.ofSeconds(30),
                        context.getBean(SystemLifecycle.class).deadline()));
    }

    @Test
    void theNameIsThatOfThePropertyOrOfTheApplication() {
        Contexts.with()
                .run(context -> assertEquals(
                        "actors", context.getBean(ActorSystem.class).name()));
        var shop = Contexts.with().withPropertyValues("spring.application.name=shop");
        shop.run(context ->
                assertEquals("shop", context.getBean(ActorSystem.class).name()));
        shop.withPropertyValues("fibry.name=shop-actors")
                .run(context -> assertEquals(
                        "shop-actors", context.getBean(ActorSystem.class).name()));
    }
}
