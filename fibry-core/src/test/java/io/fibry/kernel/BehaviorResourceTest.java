package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.Actor;
import io.fibry.ActorContext;
import io.fibry.Supervision;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingConsumer;
import io.fibry.dispatch.BehaviorResource;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** The resources of a behavior: a restart closes those that the factory or a handler has added, and no others. */
class BehaviorResourceTest extends KernelTest {

    private final List<String> log = new CopyOnWriteArrayList<>();

    private BehaviorResource resource(String name) {
        return () -> log.add(name);
    }

    /** Logs its calls. The behavior fails at the message "fail", and ties another message as a resource. */
    private ThrowingConsumer<String> factory(ActorContext<String> context) {
        log.add("factory");
        context.self().closeOnExit(resource("of factory"));
        return message -> {
            if (message.equals("fail")) {
                throw new IllegalStateException("on purpose");
            }
            context.self().closeOnExit(resource(message));
        };
    }

    @AllStrategies
    void aRestartClosesThemBeforeTheFactoryRuns(ThreadStrategy strategy) {
        Actor<String> actor = actor(strategy).supervision(Supervision.restart()).newActorFrom(this::factory);
        actor.closeOnExit(resource("from outside"));
        actor.tellAll(List.of("of handler", "fail", "of next handler"));
        actor.stop();
        Await.end(actor);
        assertEquals(
                List.of(
                        "factory",
                        "of factory",
                        "of handler",
                        "factory",
                        "from outside",
                        "of factory",
                        "of next handler"),
                log);
    }

    @AllStrategies
    void aResourceThatWasAddedBeforeTheStartIsClosedAtTheEnd(ThreadStrategy strategy) {
        Actor<String> expected = system.findOrExpect("expected", 10);
        expected.closeOnExit(resource("before the start"));
        Actor<String> actor = system.actor("expected")
                .strategy(strategy)
                .supervision(Supervision.restart())
                .newActorFrom(this::factory);
        actor.tell("fail");
        actor.stop();
        Await.end(actor);
        assertEquals(List.of("factory", "of factory", "factory", "before the start", "of factory"), log);
    }

    /** The code that adds the resource finds the actor by its name, before the factory has run. */
    @AllStrategies
    void aResourceThatIsAddedBeforeTheFirstBehaviorStaysOpen(ThreadStrategy strategy) {
        var local = (LocalSystem) system;
        var actor = new ConsumerCell.WithContext<String>(
                local.kind(strategy, Supervision.restart()), Stash.DEFAULT_LIMIT, this::factory);
        actor.becomeConsumer();
        actor.setLifecycle(new Lifecycle("found", null, ActorOptions.NONE));
        local.start(actor);
        Actor<String> found = system.<String>find("found").orElseThrow();
        found.closeOnExit(resource("added early"));
        Restarts.begin(actor);
        actor.releaseRole();
        found.stop();
        Await.end(found);
        assertEquals(List.of("factory", "added early", "of factory"), log);
    }

    @AllStrategies
    void aResourceThatIsAddedDuringARestartIsClosedAtOnce(ThreadStrategy strategy) {
        Actor<String> actor = actor(strategy).supervision(Supervision.restart()).newActorFrom(context -> {
            log.add("factory");
            BehaviorResource adding = () -> {
                log.add("closing");
                context.self().closeOnExit(resource("added"));
                log.add("closed");
            };
            return message -> {
                context.self().closeOnExit(adding);
                throw new IllegalStateException("on purpose");
            };
        });
        actor.tell("fail");
        actor.tell("fail again");
        actor.stop();
        Await.end(actor);
        List<String> restart = List.of("closing", "added", "closed", "factory");
        assertEquals(
                Stream.of(List.of("factory"), restart, restart)
                        .flatMap(List::stream)
                        .toList(),
                log);
    }
}
