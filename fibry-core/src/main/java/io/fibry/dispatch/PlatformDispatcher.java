package io.fibry.dispatch;

import java.util.Objects;
import java.util.function.UnaryOperator;

/** Runs every actor on a platform thread of its own. */
public final class PlatformDispatcher extends Dispatcher {

    private final DispatchListener listener;
    private final UnaryOperator<Thread.Builder.OfPlatform> configuration;

    public PlatformDispatcher(DispatchListener listener, UnaryOperator<Thread.Builder.OfPlatform> configuration) {
        this.listener = listener;
        this.configuration = configuration;
    }

    @Override
    public boolean holdsThreads() {
        return true;
    }

    @Override
    public ActorThread prepare(ScheduledActor actor) {
        var builder = Thread.ofPlatform().daemon().name(LogText.plain(actor.name()));
        return new PlatformThread(listener, actor, configuration.apply(builder));
    }

    @Override
    public void start(ScheduledActor actor) {
        ownThread(actor).start();
    }

    @Override
    public void abandon(ScheduledActor actor) {
        ownThread(actor).abandon();
    }

    @Override
    public void ready(ScheduledActor actor) {
        listener.active();
        ownThread(actor).ready();
    }

    private static PlatformThread ownThread(ScheduledActor actor) {
        return (PlatformThread) Objects.requireNonNull(actor.ownRunner());
    }
}
