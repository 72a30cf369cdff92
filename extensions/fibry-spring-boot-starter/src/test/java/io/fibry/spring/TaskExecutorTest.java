package io.fibry.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** The actor system as a replacement of Spring Boot's task executor. */
@Timeout(60)
class TaskExecutorTest {

    /** Public because of the proxy for its asynchronous methods. */
    @EnableAsync
    public static class Mailer {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch go = new CountDownLatch(1);
        final AtomicInteger sent = new AtomicInteger();

        @Async
        public void send() throws InterruptedException {
            begun.countDown();
            go.await();
            sent.incrementAndGet();
        }

        @Async
        public CompletableFuture<Boolean> onAVirtualThread() {
            return CompletableFuture.completedFuture(Thread.currentThread().isVirtual());
        }
    }

    private static ApplicationContextRunner contexts(Class<?>... more) {
        return Contexts.with(more)
                .withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
                .withPropertyValues("fibry.task-executor.enabled=true");
    }

    @Test
    void runsOnVirtualThreadsAlsoIfTheActorsDoNot() {
        contexts(Mailer.class)
                .withPropertyValues("fibry.strategy=platform")
                .run(context -> assertTrue(
                        context.getBean(Mailer.class).onAVirtualThread().get()));
    }

    @Test
    void runsAsynchronousMethodsOnVirtualThreads() {
        contexts(Mailer.class).run(context -> {
            assertInstanceOf(SystemTaskExecutor.class, context.getBean(AsyncTaskExecutor.class));
            assertTrue(context.getBean(Mailer.class).onAVirtualThread().get());
        });
    }

    @Test
    void theCloseOfTheContextWaitsForTheTask() {
        var mailer = new Mailer[1];
        contexts(Mailer.class).run(context -> {
            mailer[0] = (Mailer) AopProxyUtils.getSingletonTarget(context.getBean(Mailer.class));
            context.getBean(Mailer.class).send();
            mailer[0].begun.await();
            var system = context.getBean(ActorSystem.class);
            Thread.ofPlatform().start(() -> {
                while (!system.isClosing()) {
                    Thread.onSpinWait();
                }
                mailer[0].go.countDown();
            });
        });
        assertEquals(1, mailer[0].sent.get());
    }

    static class Decorated {
        final AtomicInteger decorated = new AtomicInteger();

        @Bean
        TaskDecorator decorator() {
            return task -> () -> {
                decorated.incrementAndGet();
                task.run();
            };
        }
    }

    @Test
    void tasksAreDecoratedAndTheirFailuresReachTheCaller() {
        contexts(Decorated.class).run(context -> {
            var executor = context.getBean(AsyncTaskExecutor.class);
            var failure = assertThrows(
                    ExecutionException.class,
                    () -> executor.submit(() -> {
                                throw new IOException("no");
                            })
                            .get());
            assertEquals("no", failure.getCause().getMessage());
            assertEquals(1, context.getBean(Decorated.class).decorated.get());
        });
    }

    @Test
    void aClosedSystemRejectsTasks() {
        contexts().run(context -> {
            var executor = context.getBean(AsyncTaskExecutor.class);
            context.getBean(ActorSystem.class).close();
            assertThrows(TaskRejectedException.class, () -> executor.execute(() -> {}));
        });
    }

    @Test
    void springBootKeepsItsOwnWithoutTheProperty() {
        contexts().withPropertyValues("fibry.task-executor.enabled=false").run(context -> {
            assertFalse(context.getBean(AsyncTaskExecutor.class) instanceof SystemTaskExecutor);
        });
    }

    static class Behavior {
        @Bean
        @FibryActor
        Consumer<String> printing() {
            return text -> {};
        }
    }

    @Test
    void anActorDoesNotReplaceTheExecutorOfTheApplication() {
        contexts(Behavior.class)
                .withPropertyValues("fibry.task-executor.enabled=false")
                .run(context -> assertTrue(context.containsBean("applicationTaskExecutor")));
    }

    static class HandMade {
        @Bean
        Actor<String> handMade(ActorSystem system) {
            return system.actor().newActor(text -> {});
        }

        @Bean
        Actor<Integer> another(ActorSystem system) {
            return system.actor().newActor(number -> {});
        }
    }

    static class OwnExecutor {
        @Bean
        Executor own() {
            return Runnable::run;
        }
    }

    record Users(Executor executor, Actor<String> handMade, Actor<Integer> number) {}

    @Test
    void actorsOfTheApplicationDoNotReplaceTheExecutor() {
        contexts(HandMade.class, Users.class, Mailer.class)
                .withPropertyValues("fibry.task-executor.enabled=false")
                .run(context -> {
                    var users = context.getBean(Users.class);
                    assertSame(context.getBean("applicationTaskExecutor"), users.executor());
                    assertInstanceOf(ThreadPoolTaskExecutor.class, users.executor());
                    assertSame(context.getBean("handMade"), users.handMade());
                    assertSame(context.getBean("another"), users.number());
                    assertFalse(context.getBean(Mailer.class).onAVirtualThread().get());
                });
    }

    @Test
    void actorsOfTheApplicationDoNotReplaceTheActorSystemAsTheExecutor() {
        contexts(HandMade.class, Users.class).run(context -> {
            assertInstanceOf(SystemTaskExecutor.class, context.getBean("applicationTaskExecutor"));
            assertInstanceOf(
                    SystemTaskExecutor.class, context.getBean(Users.class).executor());
        });
    }

    @Test
    void anExecutorOfTheApplicationReplacesTheExecutorOfSpringBoot() {
        contexts(HandMade.class, OwnExecutor.class, Users.class)
                .withPropertyValues("fibry.task-executor.enabled=false")
                .run(context -> {
                    assertFalse(context.containsBean("applicationTaskExecutor"));
                    assertSame(
                            context.getBean("own"), context.getBean(Users.class).executor());
                });
    }

    @Test
    void theModeOfTheApplicationIsKept() {
        contexts(HandMade.class)
                .withPropertyValues("fibry.task-executor.enabled=false", "spring.task.execution.mode=auto")
                .run(context -> assertFalse(context.containsBean("applicationTaskExecutor")));
    }
}
