package io.fibry;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Behaviors for tests of failures: they throw the messages that are exceptions, wait at those that are gates, run those that are code,
 * and answer the others with how many they have had since they began. Everything that happens is noted.
 */
final class Counting {

    /** "begin 2": a behavior was made, the second one; "2 x": that one has had the message x. */
    final List<String> events = new CopyOnWriteArrayList<>();

    private final AtomicInteger made = new AtomicInteger();

    /** An actor with such behaviors. */
    ReplyActor<Object, Integer> actor(ActorBuilder<Object> builder) {
        return builder.newActorWithReturnFrom(context -> {
            int number = begin();
            int[] seen = new int[1]; // plain state
            return message -> {
                act(message);
                events.add(number + " " + message);
                return ++seen[0];
            };
        });
    }

    /** Notes that a behavior is made, and says which. */
    int begin() {
        int number = made.incrementAndGet();
        events.add("begin " + number);
        return number;
    }

    int made() {
        return made.get();
    }

    static void act(Object message) {
        switch (message) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Gate gate -> gate.pass();
            case Runnable code -> code.run();
            default -> {}
        }
    }

    /** Until the actor waits for the end of a pause. */
    static void awaitPause(Actor<?> actor) {
        Await.until(
                actor + " pauses", () -> ActorCell.of(actor).lifecycle().pause().isPaused());
    }
}
