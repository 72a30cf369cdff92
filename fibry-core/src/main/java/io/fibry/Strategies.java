package io.fibry;

import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

/** The implementations of {@link ThreadStrategy}: the user's choices, independent of a system. */
final class Strategies {

    static final ThreadStrategy VIRTUAL = new Virtual();
    static final ThreadStrategy PLATFORM = new Platform(UnaryOperator.identity());

    private Strategies() {}

    record Virtual() implements ThreadStrategy {}

    record Platform(UnaryOperator<Thread.Builder.OfPlatform> configuration) implements ThreadStrategy {}

    record Pool(Executor executor) implements ThreadStrategy {}
}
