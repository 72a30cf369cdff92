package io.fibry.spring;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.SystemOptions;
import io.fibry.dispatch.Control;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.LogText;
import io.fibry.dispatch.Time;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Closes the actor systems of a context: after the sources of messages, before the resources of the handlers.
 *
 * <p><b>Order.</b> Spring stops beans in descending order of their phases, and then destroys them. Listeners of message
 * brokers stop first, then web servers, which complete their open requests, then executors and schedulers. The systems
 * follow in phase {@value #PHASE}. Connection factories follow in phase 0, and then all beans are destroyed, including
 * data sources. At the time of the close, the senders of messages have stopped, and the resources of the handlers are
 * open.
 */
final class SystemLifecycle extends ContextLifecycle {

    static final int PHASE = Integer.MAX_VALUE / 4;

    private static final Logger LOG = LoggerFactory.getLogger(SystemLifecycle.class);

    private final Duration deadline;
    private final Collection<ActorSystem> opened = new CopyOnWriteArrayList<>();
    private final Collection<ActorSystem> ofNodes = new CopyOnWriteArrayList<>();

    /** The actors of this context in the system of its parent, in the order of their creation. */
    private final Deque<Actor<?>> guests = new ConcurrentLinkedDeque<>();

    SystemLifecycle(ConfigurableApplicationContext context, Duration deadline) {
        super(context, PHASE);
        this.deadline = deadline;
    }

    Duration deadline() {
        return deadline;
    }

    /** Creates a system that is closed with the context, even if the context fails to start. */
    ActorSystem open(SystemOptions options) {
        ActorSystem system = ActorSystem.create(options);
        opened.add(system);
        return system;
    }

    /** Leaves a system open that the node of a cluster closes: the node leaves the cluster before. */
    void leave(ActorSystem ofNode) {
        ofNodes.add(ofNode);
    }

    /** Closes the actor with this context if the system is that of the parent, which remains open. */
    <A extends Actor<?>> A created(A actor, ActorSystem of) {
        if (localSystems().noneMatch(of::equals)) {
            guests.add(actor);
        }
        return actor;
    }

    @Override
    void close() {
        closeGuests();
        close(systems());
    }

    /**
     * Closes the last actor first, because its bean may refer to actors that were created before. Each has half of the
     * time that is left, the last one all of it.
     */
    private void closeGuests() {
        long end = Durations.deadline(deadline);
        for (Actor<?> actor = guests.pollLast(); actor != null; actor = guests.pollLast()) {
            long left = Math.max(0, end - Time.nanos());
            if (!actor.close(Duration.ofNanos(guests.isEmpty() ? left : left / 2))) {
                LOG.error(
                        "The actor {} has not ended in order. It may fail: its beans are destroyed next",
                        LogText.plain(actor.name()));
            }
        }
    }

    @Override
    public void destroy() {
        closeGuests();
        close(opened.stream().filter(system -> !system.isClosing()).toList());
    }

    /** The systems of this context, including systems defined by the application, without the systems of its parent. */
    private List<ActorSystem> systems() {
        return localSystems().filter(system -> !ofNodes.contains(system)).toList();
    }

    private Stream<ActorSystem> localSystems() {
        var beans = context.getBeanFactory();
        return Arrays.stream(beans.getBeanNamesForType(ActorSystem.class, false, false))
                .map(beans::getSingleton)
                .map(ActorSystem.class::cast)
                .filter(Objects::nonNull); // lazy, and never used
    }

    /**
     * Closes the systems concurrently, with one deadline. Uses platform threads: handlers that compute indefinitely may
     * occupy all carrier threads, and only the close ends them. A test with virtual time controls its own thread only.
     */
    private void close(Collection<ActorSystem> systems) {
        if (Control.ofCurrentThread() != null) {
            systems.forEach(this::close);
            return;
        }
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().name("fibry-close-", 1).factory())) {
            systems.forEach(system -> threads.execute(() -> close(system)));
        }
    }

    private void close(ActorSystem system) {
        LOG.info("Closing the actor system {}, within {}", LogText.plain(system.name()), deadline);
        long dead = system.stats().dead();
        if (!system.close(deadline)) {
            LOG.error(
                    "The actor system {} has handlers that do not end. They may fail: their beans are destroyed next",
                    LogText.plain(system.name()));
        }
        long lost = system.stats().dead() - dead;
        if (lost > 0) {
            LOG.warn(
                    "The actor system {} has discarded {} messages: they were not handled within {}",
                    LogText.plain(system.name()),
                    lost,
                    deadline);
        }
    }
}
