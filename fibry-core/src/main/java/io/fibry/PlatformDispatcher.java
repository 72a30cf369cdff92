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
    void start(ActorCell<?> actor) {
        var own = new PlatformThread(actor);
        Thread.Builder.OfPlatform builder = Thread.ofPlatform().daemon().name(actor.name());
        Thread thread = configuration.apply(builder).unstarted(own);
        own.adopt(thread);
        actor.lifecycle().ownThread = own;
        thread.start();
    }

    @Override
    void ready(ActorCell<?> actor) {
        Objects.requireNonNull(actor.lifecycle().ownThread).ready();
    }
}
