package io.fibry.spring;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Closes something with its context, and only then. What is closed cannot be opened again, but a stopped context may be
 * restarted with the same beans: Spring's test framework pauses cached contexts, and a checkpoint stops the running
 * one.
 */
abstract class ContextLifecycle implements SmartLifecycle, DisposableBean {

    final ConfigurableApplicationContext context;
    private final int phase;
    private volatile boolean running;

    ContextLifecycle(ConfigurableApplicationContext context, int phase) {
        this.context = context;
        this.phase = phase;
    }

    /** Called in the phase of this lifecycle when the context is closed. */
    abstract void close();

    /**
     * Called for each context that is destroyed, also after {@link #close}: a context whose refresh has failed is
     * destroyed without being closed.
     */
    @Override
    public abstract void destroy();

    @Override
    public void start() {
        running = true;
    }

    @Override
    public final void stop() {
        if (context.isClosed()) {
            running = false;
            close();
        }
    }

    /** Stays true in a stopped context: its close then calls {@link #stop} once more. */
    @Override
    public final boolean isRunning() {
        return running;
    }

    @Override
    public final boolean isPauseable() {
        return false;
    }

    @Override
    public final int getPhase() {
        return phase;
    }
}
