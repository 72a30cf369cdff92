package io.fibry;

import java.util.Objects;
import java.util.function.UnaryOperator;

/** Gives every actor a platform thread of its own. */
final class PlatformDispatcher extends Dispatcher {

    private final UnaryOperator<Thread.Builder.OfPlatform> configuration;

    PlatformDispatcher(UnaryOperator<Thread.Builder.OfPlatform> configuration) {
        this.configuration = configuration;
    }

    @Override
    boolean holdsThreads() {
        return true;
    }

    @Override
    void prepare(ActorCell<?> actor) {
        var builder = Thread.ofPlatform().daemon().name(actor.name());
        actor.lifecycle().ownThread = new PlatformThread(actor, configuration.apply(builder));
    }

    @Override
    void start(ActorCell<?> actor) {
        ownThread(actor).start();
    }

    @Override
    void ready(ActorCell<?> actor) {
        ownThread(actor).ready();
    }

    private static PlatformThread ownThread(ActorCell<?> actor) {
        return Objects.requireNonNull(actor.lifecycle().ownThread);
    }
}
