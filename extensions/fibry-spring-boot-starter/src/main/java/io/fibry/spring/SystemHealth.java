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
 * The health of the actor systems. The status is {@code DOWN} if
 *
 * <ul>
 *   <li>a system is closed;
 *   <li>an actor bean was ended by a failure, including a supervisor that gave up: messages to it are refused;
 *   <li>an actor is stuck: it has been handling one message for too long while others wait. Long handlers without
 *       waiting messages, such as connections and tasks, are not stuck.
 * </ul>
 *
 * Failures and dead letters are details only, because an application may expect them.
 */
final class SystemHealth extends AbstractHealthIndicator {

    private static final int MAX_STUCK = 10;

    private final ActorSystem system;
    private final Duration stuckAfter;
    private final ConfigurableListableBeanFactory beans;

    /** One future per actor, because each call of {@link Actor#exit} adds a dependent future to the actor. */
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
                .withDetail("handled", system.stats().handled())
                .withDetail("deadLetters", system.stats().dead());
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
        return actor.name() + " is running on " + actor.message() + " for "
                + actor.runningFor().toSeconds() + " s, " + actor.mailboxSize() + " messages wait" + where;
    }

    private List<String> failed() {
        return Arrays.stream(beans.getBeanNamesForType(Actor.class, false, false))
                .filter(this::hasFailed)
                .toList();
    }

    private boolean hasFailed(String bean) {
        if (!(beans.getSingleton(bean) instanceof Actor<?> actor)) {
            return false; // lazy, not created yet
        }
        CompletableFuture<ActorExit> exit = exits.get(bean);
        if (exit == null) { // two threads may store two futures with the same result
            exit = actor.exit();
            exits.put(bean, exit);
        }
        return exit.isDone() && exit.join().reason() == ActorExit.Reason.FAILED;
    }
}
