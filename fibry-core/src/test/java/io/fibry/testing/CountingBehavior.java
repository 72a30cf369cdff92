package io.fibry.testing;

import io.fibry.ActorBuilder;
import io.fibry.ReplyActor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Behaviors for tests of failures. They throw messages that are exceptions, wait at gates, run messages that are code,
 * and reply to all others with the number of messages since their start. They record all events.
 */
public final class CountingBehavior {

    /** "begin 2": the second behavior was made; "2 x": that behavior has handled the message x. */
    public final List<String> events = new CopyOnWriteArrayList<>();

    private final AtomicInteger made = new AtomicInteger();

    /** Returns an actor with such a behavior. */
    public ReplyActor<Object, Integer> actor(ActorBuilder<Object> builder) {
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

    /** Records that a behavior is made, and returns its number. */
    public int begin() {
        int number = made.incrementAndGet();
        events.add("begin " + number);
        return number;
    }

    public int made() {
        return made.get();
    }

    public static void act(Object message) {
        switch (message) {
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case Gate gate -> gate.pass();
            case Runnable code -> code.run();
            default -> {}
        }
    }
}
