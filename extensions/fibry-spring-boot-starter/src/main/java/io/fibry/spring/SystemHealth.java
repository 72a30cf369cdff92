package io.fibry.spring;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.ActorInfo;
import io.fibry.ActorSystem;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Whether the application can rely on its actors. It cannot, and the status is {@code DOWN}, if
 *
 * <ul>
 *   <li>the system is closed: it accepts nothing;
 *   <li>an actor that is a bean was ended by a failure, a supervisor that gave up among them: who has it injected gets only exceptions;
 *   <li>an actor is stuck: it has been at work on one message for too long, and others wait behind it. A long handler without
 *       waiting messages is none: such are connections and tasks.
 * </ul>
 *
 * Failures and dead letters are only details: an application may expect them.
 */
final class SystemHealth extends AbstractHealthIndicator {

    private static final int MAX_STUCK = 10;

    private final ActorSystem system;
    private final Duration stuckAfter;
    private final ConfigurableListableBeanFactory beans;

    /** One future for each actor: each call of {@link Actor#exit} would leave another one with the actor. */
    private final Map<String, CompletableFuture<ActorExit>> exits = new ConcurrentHashMap<>();

    SystemHealth(ActorSystem system, Duration stuckAfter, ConfigurableListableBeanFactory beans) {
        super("The health of the actor system could not be read");
        this.system = system;
        this.stuckAfter = stuckAfter;
        this.beans = beans;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        List<String> stuck = stuck();
        List<String> failed = failed();
        boolean up = !system.isClosing() && stuck.isEmpty() && failed.isEmpty();
        health.status(up ? "UP" : "DOWN")
                .withDetail("system", system.name())
                .withDetail("closed", system.isClosing())
                .withDetail("handled", system.counters().handled())
                .withDetail("deadLetters", system.counters().dead());
        if (!stuck.isEmpty()) {
            health.withDetail("stuck", stuck);
        }
        if (!failed.isEmpty()) {
            health.withDetail("failed", failed);
        }
    }

    private List<String> stuck() {
        return system.stuck(stuckAfter).stream()
                .filter(actor -> actor.mailboxSize() > 0)
                .limit(MAX_STUCK)
                .map(SystemHealth::text)
                .toList();
    }

    private static String text(ActorInfo actor) {
        String where = actor.stack().isEmpty() ? "" : ", at " + actor.stack().getFirst();
        return actor.name() + " is at work on " + actor.message() + " for "
                + actor.atWorkFor().toSeconds() + " s, " + actor.mailboxSize() + " messages wait" + where;
    }

    private List<String> failed() {
        return Arrays.stream(beans.getBeanNamesForType(Actor.class, false, false))
                .filter(this::hasFailed)
                .toList();
    }

    private boolean hasFailed(String bean) {
        if (!(beans.getSingleton(bean) instanceof Actor<?> actor)) {
            return false; // lazy, and not made yet
        }
        CompletableFuture<ActorExit> exit = exits.computeIfAbsent(bean, name -> actor.exit());
        return exit.isDone() && exit.join().reason() == ActorExit.Reason.FAILED;
    }
}
