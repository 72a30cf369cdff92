package io.fibry.observer;

import io.fibry.ActorInfo;
import io.fibry.kernel.ActorView;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The values by which the list of actors can be sorted. */
enum ActorSort {
    NAME,
    BEHAVIOR,
    STATE,
    MAILBOX,
    /** Messages handled per second; see {@link HandledRates}. */
    RATE,
    HANDLED,
    /** The time that the running handler has taken. */
    TIME,
    RESTARTS,
    STASHED;

    /** Whether actors are sorted by a text, else by a number. */
    boolean isText() {
        return this == NAME || this == BEHAVIOR;
    }

    /** The value by which this actor is sorted; 0 for texts, and for rates, which need more than the actor. */
    long of(ActorView actor) {
        return switch (this) {
            case NAME, BEHAVIOR, RATE -> 0;
            case STATE -> activity(actor.state());
            case MAILBOX -> actor.mailboxSize();
            case HANDLED -> actor.handled();
            case TIME -> actor.runningMillis();
            case RESTARTS -> actor.restarts();
            case STASHED -> actor.stashed();
        };
    }

    /** The order of the states. */
    private static long activity(ActorInfo.State state) {
        return switch (state) {
            case IDLE -> 0;
            case READY -> 1;
            case RUNNING -> 2;
            case WAITS_FOR_REPLY -> 3;
            case WAITS_FOR_ROOM -> 4;
            case WAITS_FOR_EXIT -> 5;
            case WAITS_FOR_PAUSE -> 6;
            case PAUSED -> 7;
            case STOPPING -> 8;
        };
    }

    /** Its name in a query. */
    String parameter() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<ActorSort> of(String parameter) {
        return Arrays.stream(values())
                .filter(sort -> sort.parameter().equals(parameter))
                .findFirst();
    }

    static String parameters() {
        return Arrays.stream(values()).map(ActorSort::parameter).collect(Collectors.joining(", "));
    }
}
