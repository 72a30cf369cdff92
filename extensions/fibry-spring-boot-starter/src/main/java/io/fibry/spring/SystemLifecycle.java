package io.fibry.spring;

import io.fibry.ActorSystem;
import io.fibry.SystemOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Closes the actor systems of a context, between its sources of work and what the actors work with.
 *
 * <p><b>When.</b> Spring stops beans in the order of falling phases, and destroys them afterwards. First come listeners of
 * message brokers, then web servers, which let their open requests end, then executors and schedulers. This comes next, in
 * phase {@value #PHASE}. Connection factories follow in phase 0, and then all beans are destroyed, data sources among them. So all that
 * sends messages is quiet, and all that handlers need is alive.
 *
 * <p><b>Only once.</b> A closed system never opens again, but a stopped context may start again, with the same beans: tests pause
 * contexts in their cache, and a checkpoint stops the running one. So only the close of the context closes the systems.
 */
final class SystemLifecycle implements SmartLifecycle, DisposableBean {

    static final int PHASE = Integer.MAX_VALUE / 4;

    private static final Logger LOG = LoggerFactory.getLogger(SystemLifecycle.class);

    private final ConfigurableApplicationContext context;
    private final Duration deadline;
    private final Collection<ActorSystem> opened = new CopyOnWriteArrayList<>();
    private volatile boolean running;

    SystemLifecycle(ConfigurableApplicationContext context, Duration deadline) {
        this.context = context;
        this.deadline = deadline;
    }

    Duration deadline() {
        return deadline;
    }

    /** Makes a system that is closed with the context, also if the context does not get as far as its start. */
    ActorSystem open(SystemOptions options) {
        ActorSystem system = ActorSystem.create(options);
        opened.add(system);
        return system;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        if (context.isClosed()) {
            running = false;
            close(systems());
        }
    }

    /** Stays true in a stopped context: its close then calls {@link #stop} once more. */
    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    /** After {@link #stop} nothing is left; but a context whose refresh has failed is destroyed without being closed. */
    @Override
    public void destroy() {
        close(opened.stream().filter(system -> !system.isClosing()).toList());
    }

    /** Those of this context, not of its parent; those of the application, too, if it defines its own. */
    private List<ActorSystem> systems() {
        var beans = context.getBeanFactory();
        return Arrays.stream(beans.getBeanNamesForType(ActorSystem.class, false, false))
                .map(beans::getSingleton)
                .map(ActorSystem.class::cast)
                .filter(Objects::nonNull) // lazy, and never used
                .toList();
    }

    /**
     * Closes them at the same time: they have one deadline. On platform threads: handlers that compute without end may occupy all
     * virtual ones, and the close is what ends them.
     */
    private void close(Collection<ActorSystem> systems) {
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().name("fibry-close-", 1).factory())) {
            systems.forEach(system -> threads.execute(() -> close(system)));
        }
    }

    private void close(ActorSystem system) {
        LOG.info("Closing the actor system {}, within {}", system.name(), deadline);
        long dead = system.counters().dead();
        if (!system.close(deadline)) {
            LOG.error(
                    "The actor system {} has handlers that do not end. They may fail: their beans are destroyed next",
                    system.name());
        }
        long lost = system.counters().dead() - dead;
        if (lost > 0) {
            LOG.warn(
                    "The actor system {} has discarded {} messages: they were not handled within {}",
                    system.name(),
                    lost,
                    deadline);
        }
    }
}
