package io.fibry.kernel;

import io.fibry.ThreadStrategy;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

/** The implementations of {@link ThreadStrategy}: the user's choices, independent of a system. */
public final class Strategies {

    public static final ThreadStrategy VIRTUAL = new Virtual();
    public static final ThreadStrategy PLATFORM = new Platform(UnaryOperator.identity());

    private Strategies() {}

    public record Virtual() implements ThreadStrategy {}

    public record Platform(UnaryOperator<Thread.Builder.OfPlatform> configuration) implements ThreadStrategy {}

    public record Pool(Executor executor) implements ThreadStrategy {}
}
