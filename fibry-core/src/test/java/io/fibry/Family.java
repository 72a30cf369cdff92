package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Children of supervisors for tests, whose beginnings and ends are noted. Their behaviors are those of {@link Counting}. */
final class Family {

    /** "begin a": the behavior of child a was made; "end a": an actor of that name has ended. */
    final List<String> events = new CopyOnWriteArrayList<>();

    private final ThreadStrategy strategy;

    Family(ThreadStrategy strategy) {
        this.strategy = strategy;
    }

    /** A child that is restarted in its place, and answers with how many messages it has had since it began. */
    Function<ActorBuilder<Object>, Actor<?>> lasting(String name) {
        return builder -> prepared(name, builder).<Object, Integer>newActorWithReturnFrom(context -> {
            events.add("begin " + name);
            int[] seen = new int[1];
            return message -> {
                Counting.act(message);
                return ++seen[0];
            };
        });
    }

    /** A child that ends when it fails, so that there is a new actor each time. */
    Function<ActorBuilder<Object>, Actor<?>> mortal(String name) {
        return builder -> {
            events.add("begin " + name);
            return prepared(name, builder).newActorWithReturn((Object message) -> {
                Counting.act(message);
                return 1;
            });
        };
    }

    private ActorBuilder<Object> prepared(String name, ActorBuilder<Object> builder) {
        return builder.strategy(strategy).onStop(exit -> events.add("end " + name));
    }

    @SuppressWarnings("unchecked")
    static ReplyActor<Object, Integer> child(Supervisor supervisor, String name) {
        return (ReplyActor<Object, Integer>) supervisor.child(name).orElseThrow();
    }

    long begun(String name) {
        return events.stream().filter(event -> event.equals("begin " + name)).count();
    }

    /** Until so many behaviors of that child were made. */
    void awaitBegun(String name, int times) {
        Await.until("begin " + name + " for the " + times + ". time", () -> begun(name) >= times);
    }

    /** Until exactly these things have happened since the start of this many children, and the supervisor has nothing to do. */
    void awaitAfterStart(int started, Supervisor supervisor, String... expected) {
        Await.until("as many events as " + List.of(expected), () -> events.size() >= started + expected.length);
        awaitTurn(supervisor);
        assertEquals(List.of(expected), events.subList(started, events.size()));
    }

    /** Until the supervisor has done what was known to it before. */
    static void awaitTurn(Supervisor supervisor) {
        var turn = new CompletableFuture<String>();
        supervisor.execute(() -> turn.complete("done"));
        Await.value(turn);
    }
}
