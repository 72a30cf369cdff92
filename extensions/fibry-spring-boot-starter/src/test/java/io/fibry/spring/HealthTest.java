package io.fibry.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import io.fibry.Supervision;
import io.fibry.Supervisor;
import io.fibry.SupervisorSpec;
import io.fibry.spring.FibryActor.OnFailure;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;

/** The conditions of health. */
@Timeout(60)
class HealthTest {

    static class Actors {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch go = new CountDownLatch(1);

        @Bean
        @FibryActor(onFailure = OnFailure.STOP)
        Function<Integer, Integer> inverse() {
            return n -> 1 / n;
        }

        @Bean
        @FibryActor
        Consumer<String> slow() {
            return text -> {
                begun.countDown();
                try {
                    go.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            };
        }
    }

    record Client(ReplyActor<Integer, Integer> inverse) {}

    private static Health health(BeanFactory context) {
        return context.getBean(HealthIndicator.class).health();
    }

    /** The end of an actor completes several futures one after the other, and the health depends on one of them. */
    private static Health healthWhenDown(BeanFactory context) {
        Health health = health(context);
        while (!health.getStatus().equals(Status.DOWN)) {
            Thread.onSpinWait();
            health = health(context);
        }
        return health;
    }

    @Test
    void upWhileAllActorsAreWell() {
        Contexts.with(Actors.class, Client.class).run(context -> {
            context.getBean(Client.class).inverse.call(1);
            Health health = health(context);
            assertEquals(Status.UP, health.getStatus());
            assertEquals("actors", health.getDetails().get("system"));
            assertThat(health.getDetails()).doesNotContainKeys("stuck", "failed");
        });
    }

    @Test
    void downIfTheSystemIsClosed() {
        Contexts.with().run(context -> {
            context.getBean(ActorSystem.class).close();
            assertEquals(Status.DOWN, health(context).getStatus());
        });
    }

    @Test
    void downIfAFailureHasEndedAnActorThatIsABean() {
        Contexts.with(Actors.class, Client.class).run(context -> {
            var inverse = context.getBean(Client.class).inverse;
            assertEquals(Status.UP, health(context).getStatus());
            assertThrows(ArithmeticException.class, () -> inverse.call(0));
            inverse.waitForExit();
            Health health = healthWhenDown(context);
            assertEquals("[inverseActor]", String.valueOf(health.getDetails().get("failed")));
        });
    }

    @Test
    void anOrderlyEndIsNoFailure() {
        Contexts.with(Actors.class, Client.class).run(context -> {
            context.getBean(Client.class).inverse.close();
            assertEquals(Status.UP, health(context).getStatus());
        });
    }

    static class Supervised {
        @Bean(destroyMethod = "stop")
        Supervisor supervisor(ActorSystem system) {
            return system.actor("boss")
                    .newSupervisor(SupervisorSpec.oneForOne()
                            .limit(0, Duration.ofMinutes(1))
                            .child(
                                    "child",
                                    SupervisorSpec.Restart.PERMANENT,
                                    actor -> actor.supervision(Supervision.escalate())
                                            .newActor((String text) -> {
                                                throw new IllegalStateException(text);
                                            })));
        }
    }

    @Test
    void downIfASupervisorGaveUp() {
        Contexts.with(Supervised.class).run(context -> {
            var supervisor = context.getBean(Supervisor.class);
            assertEquals(Status.UP, health(context).getStatus());
            @SuppressWarnings("unchecked") // the test knows the type
            var child = (io.fibry.Actor<String>) supervisor.child("child").orElseThrow();
            child.tell("no");
            supervisor.waitForExit();
            healthWhenDown(context);
        });
    }

    @Test
    void downIfAnActorIsRunningForTooLongWhileOthersWait() {
        Contexts.with(Actors.class)
                .withPropertyValues("fibry.health.stuck-after=0s")
                .run(context -> {
                    var actors = context.getBean(Actors.class);
                    @SuppressWarnings("unchecked") // the type of the bean
                    var slow = (io.fibry.Actor<String>) context.getBean("slowActor");
                    slow.tell("running");
                    actors.begun.await();
                    while (context.getBean(ActorSystem.class)
                            .stuck(Duration.ZERO)
                            .isEmpty()) {
                        Thread.onSpinWait(); // the times of actors are in milliseconds
                    }
                    assertEquals(Status.UP, health(context).getStatus(), "nobody waits");
                    slow.tell("waits");
                    Health health = health(context);
                    assertEquals(Status.DOWN, health.getStatus());
                    String stuck = String.valueOf(health.getDetails().get("stuck"));
                    assertTrue(stuck.startsWith("[slow is running on java.lang.String for "), stuck);
                    assertTrue(stuck.contains(" s, 1 messages wait, at "), stuck);
                    actors.go.countDown();
                });
    }

    @Test
    void aLongTimeIsAllowed() {
        Contexts.with(Actors.class).run(context -> {
            @SuppressWarnings("unchecked") // the type of the bean
            var slow = (io.fibry.Actor<String>) context.getBean("slowActor");
            slow.tell("running");
            context.getBean(Actors.class).begun.await();
            slow.tell("waits");
            assertEquals(Status.UP, health(context).getStatus(), "the default is a minute");
            context.getBean(Actors.class).go.countDown();
        });
    }

    @Test
    void isSwitchedOffAsOthersAre() {
        Contexts.with()
                .withPropertyValues("management.health.fibry.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
    }
}
