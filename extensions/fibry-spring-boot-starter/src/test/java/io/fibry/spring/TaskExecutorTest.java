package io.fibry.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** The actor system as a replacement of Spring Boot's task executor. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
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
    }

    @Test
    void anActorOfTheApplicationReplacesTheExecutorUnlessDisabled(CapturedOutput output) {
        contexts(HandMade.class)
                .withPropertyValues("fibry.task-executor.enabled=false")
                .run(context -> {
                    assertFalse(context.containsBean("applicationTaskExecutor"));
                    assertTrue(output.getOut().contains("spring.task.execution.mode=force"), output::getOut);
                });
        contexts(HandMade.class)
                .withPropertyValues("fibry.task-executor.enabled=false", "spring.task.execution.mode=force")
                .run(context -> assertTrue(context.containsBean("applicationTaskExecutor")));
        contexts(HandMade.class)
                .run(context -> assertInstanceOf(SystemTaskExecutor.class, context.getBean("applicationTaskExecutor")));
    }
}
