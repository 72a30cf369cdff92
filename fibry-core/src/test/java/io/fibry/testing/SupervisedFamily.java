package io.fibry.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ReplyActor;
import io.fibry.Supervisor;
import io.fibry.ThreadStrategy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * Children of supervisors for tests. Their starts and ends are recorded. Their messages act as in
 * {@link CountingBehavior}.
 */
public final class SupervisedFamily {

    /** "begin a": the behavior of child a was made; "end a": an actor of that name has ended. */
    public final List<String> events = new CopyOnWriteArrayList<>();

    private final ThreadStrategy strategy;

    public SupervisedFamily(ThreadStrategy strategy) {
        this.strategy = strategy;
    }

    /** A child that is restarted in place, and replies with the number of messages since its start. */
    public Function<ActorBuilder<Object>, Actor<?>> lasting(String name) {
        return builder -> prepared(name, builder).<Object, Integer>newActorWithReturnFrom(context -> {
            events.add("begin " + name);
            int[] seen = new int[1];
            return message -> {
                CountingBehavior.act(message);
                return ++seen[0];
            };
        });
    }

    /** A child that ends when it fails, and is replaced by a new actor each time. */
    public Function<ActorBuilder<Object>, Actor<?>> mortal(String name) {
        return builder -> {
            events.add("begin " + name);
            return prepared(name, builder).newActorWithReturn((Object message) -> {
                CountingBehavior.act(message);
                return 1;
            });
        };
    }

    private ActorBuilder<Object> prepared(String name, ActorBuilder<Object> builder) {
        return builder.strategy(strategy).onStop(exit -> events.add("end " + name));
    }

    @SuppressWarnings("unchecked")
    public static ReplyActor<Object, Integer> child(Supervisor supervisor, String name) {
        return (ReplyActor<Object, Integer>) supervisor.child(name).orElseThrow();
    }

    public long begun(String name) {
        return events.stream().filter(event -> event.equals("begin " + name)).count();
    }

    /** Waits until this number of behaviors of the child was made. */
    public void awaitBegun(String name, int times) {
        Await.until("begin " + name + " for the " + times + ". time", () -> begun(name) >= times);
    }

    /**
     * Waits until exactly these events have occurred since the start of this number of children, and the supervisor is
     * idle.
     */
    public void awaitAfterStart(int started, Supervisor supervisor, String... expected) {
        Await.until("as many events as " + List.of(expected), () -> events.size() >= started + expected.length);
        awaitTurn(supervisor);
        assertEquals(List.of(expected), events.subList(started, events.size()));
    }

    /** Waits until the supervisor has processed all earlier events. */
    public static void awaitTurn(Supervisor supervisor) {
        var turn = new CompletableFuture<String>();
        supervisor.execute(() -> turn.complete("done"));
        Await.value(turn);
    }
}
