package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import io.fibry.Supervision;
import io.fibry.SystemOptions;
import io.fibry.SystemStats;
import io.fibry.ThreadStrategy;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.ControlledDispatcher;
import io.fibry.dispatch.DispatchListener;
import io.fibry.dispatch.Dispatcher;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.PlatformDispatcher;
import io.fibry.dispatch.PoolDispatcher;
import io.fibry.dispatch.ScheduledActor;
import io.fibry.dispatch.WorkerScheduler;
import io.fibry.dispatch.WorkerThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The only implementation of {@link ActorSystem}. It has no list of all its actors. Actors that are ready or running
 * are known to the dispatchers. Actors that hold a resource while they are idle (a thread, a name, a hook, a child, a
 * timer) register here, or with their parent.
 */
public final class LocalSystem extends InspectedSystem implements ActorSystem, DispatchListener {

    /** The states of a system: CLOSING handles accepted messages, CLOSED discards all messages. */
    private enum State {
        OPEN,
        CLOSING,
        CLOSED
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private final ActorRegistry registry = new ActorRegistry(this::turnsEnded);
    private final NameRegistry names = new NameRegistry();
    private final MessageCounts counts = new MessageCounts();

    /** The runners of platform actors, children included, from before their start until after their end. */
    private final Set<ActorThread> platformThreads = ConcurrentHashMap.newKeySet();

    private final PoolDispatcher.Work poolWork = PoolDispatcher.Work.under(control);
    private final WorkerScheduler scheduler;
    private final SystemClose systemClose;
    private final Inspection inspection;
    private final ActorKind virtual;
    private final ActorKind virtualOnce;
    private final ActorKind platform;

    private volatile ThreadStrategy defaultStrategy;

    /** Whether {@link KeepAlive} watches the system. */
    private volatile boolean watched;

    /**
     * The thread that is closing the system. Hooks and watchers that run on it may call {@code close}, which then
     * returns at once.
     */
    private volatile @Nullable Thread closer;

    private final CloseFromInside fromInside = new CloseFromInside(this::closeAndWait);

    public LocalSystem(SystemOptions options) {
        this(
                options,
                new WorkerThreads(),
                Integer.getInteger( // the number of carrier threads
                        "jdk.virtualThreadScheduler.parallelism",
                        Runtime.getRuntime().availableProcessors()),
                true);
        opened(options.jmx());
    }

    /** For tests: with an executor that starts the workers, a number of processors, and without time slices. */
    LocalSystem(ThreadStrategy defaultStrategy, Executor workerThreads, int processors) {
        this(SystemOptions.defaults().strategy(defaultStrategy), workerThreads, processors, false);
    }

    private LocalSystem(SystemOptions options, Executor workerThreads, int processors, boolean timed) {
        super(options);
        defaultStrategy = options.strategy();
        CloseGrace.check();
        KernelLog.prepare();
        Preload.begin();
        scheduler = new WorkerScheduler(this, workerThreads, processors, timed);
        systemClose = new SystemClose(registry, platformThreads, scheduler, poolWork);
        inspection = new Inspection(registry, platformThreads, scheduler, poolWork, counts, options.tracking());
        virtual = newKind(Strategies.VIRTUAL, Supervision.resume());
        virtualOnce = newKind(Strategies.VIRTUAL, Supervision.stop());
        platform = newKind(Strategies.PLATFORM, Supervision.resume());
    }

    // ---- starting actors

    @Override
    public ThreadStrategy defaultStrategy() {
        return defaultStrategy;
    }

    void setDefaultStrategy(ThreadStrategy strategy) {
        defaultStrategy = strategy;
    }

    ActorKind kind(ThreadStrategy strategy, Supervision supervision) {
        if (strategy instanceof Strategies.Virtual) {
            if (supervision == Supervision.resume()) {
                return virtual;
            }
            if (supervision == Supervision.stop()) {
                return virtualOnce;
            }
        } else if (supervision == Supervision.resume() && strategy.equals(Strategies.PLATFORM)) {
            return platform;
        }
        return newKind(strategy, supervision);
    }

    private ActorKind newKind(ThreadStrategy strategy, Supervision supervision) {
        Dispatcher dispatcher = control != null
                ? new ControlledDispatcher(this, control, poolWork)
                : switch (strategy) {
                    case Strategies.Virtual v -> scheduler;
                    case Strategies.Platform p -> new PlatformDispatcher(this, p.configuration());
                    case Strategies.Pool p -> new PoolDispatcher(this, p.executor(), poolWork);
                };
        return new ActorKind(this, dispatcher, supervision);
    }

    /**
     * Starts an actor that has a lifecycle because it holds a resource while idle. Other actors need no start.
     *
     * <p>The actor is not published before it can run: its own thread, if it has one, starts first; then its parent or
     * the system registers it; then it can be found by its name. If a step fails, the previous ones are undone.
     */
    void start(ActorCell<?> actor) {
        String name = actor.lifecycle().name;
        if (name != null) {
            names.reserve(name);
        }
        boolean started = false;
        try {
            ActorThread own = actor.kind.dispatcher().prepare(actor);
            if (own != null) {
                actor.lifecycle().rareState().ownRunner = own;
                platformThreads.add(own);
            }
            actor.kind.dispatcher().start(actor);
            registry.add(actor);
            checkOpen(); // after the registration: a close either sees the actor, or is seen here
            started = true;
        } finally {
            if (!started) {
                LastTurn.abandon(actor);
                if (name != null) {
                    names.release(name);
                }
            }
        }
        if (name != null) {
            names.publish(name, actor);
        }
    }

    ActorRegistry registry() {
        return registry;
    }

    @Override
    Inspection inspection() {
        return inspection;
    }

    /** Called when an actor has been made that holds no resource and needs no start. */
    void made(ActorCell<?> actor) {
        checkOpen();
        inspection.made(actor);
    }

    // ---- names

    @Override
    @SuppressWarnings("unchecked") // the caller must know the types, here and below
    public <M> Optional<Actor<M>> find(String name) {
        Actor<?> owner = names.owner(NameRegistry.require(name));
        return owner instanceof ActorCell<?> ? Optional.of((Actor<M>) Handles.found(owner)) : Optional.empty();
    }

    @Override
    @SuppressWarnings("unchecked")
    public <M, R extends @Nullable Object> Optional<ReplyActor<M, R>> findWithReturn(String name) {
        Actor<?> owner = names.owner(NameRegistry.require(name));
        return Optional.ofNullable((ReplyActor<M, R>) Handles.foundWithReturn(owner));
    }

    @Override
    @SuppressWarnings("unchecked")
    public <M> Actor<M> findOrExpect(String name, int capacity) {
        NameRegistry.require(name);
        if (capacity < 1) {
            throw new IllegalArgumentException("the capacity must be at least 1, not " + capacity);
        }
        Actor<?> owner = names.ownerOr(name, new PlaceholderActor<>(this, name, capacity));
        if (isClosed()) { // after the entry: a close either finds and stops the address, or is seen here
            owner.stop();
            checkOpen();
        }
        return (Actor<M>) Handles.found(owner);
    }

    void forget(String name, PlaceholderActor<?> placeholder) {
        names.free(name, placeholder);
    }

    // ---- counters and dead letters

    @Override
    MessageCounts counts() {
        return counts;
    }

    @Override
    public SystemStats stats() {
        return counts.counters(count -> {
            scheduler.forEachWorker(count);
            poolWork.forEachRunner(count);
            platformThreads.forEach(count);
        });
    }

    void checkOpen() {
        if (state.get() == State.CLOSED) {
            throw new IllegalStateException("the actor system is closed" + (control == null ? "" : control.endedBy())
                    + "; make actors in another one");
        }
    }

    /** Removes an actor that is about to end, and frees its name. */
    void remove(ActorCell<?> actor) {
        registry.remove(actor);
        freeName(actor);
    }

    void freeName(ActorCell<?> actor) {
        String name = actor.lifecycle().name;
        if (name != null) {
            names.free(name, actor);
            forgetLatencies(name);
        }
    }

    @Override
    boolean owns(String name, Actor<?> actor) {
        return names.owner(name) == actor;
    }

    boolean isClosed() {
        return state.get() == State.CLOSED;
    }

    @Override
    public boolean isClosing() {
        return state.get() != State.OPEN;
    }

    // ---- closing

    @Override
    public boolean close(Duration deadline) {
        Durations.notNegative("deadline", deadline);
        if (!isInsideActor()) {
            return closeAndWait(deadline);
        }
        // Another thread waits for the end, which may have to wait for this actor's handler.
        fromInside.request(deadline);
        return currentActors().isEmpty() ? awaitClose(deadline, true) : hasEnded();
    }

    /** As {@link #close}, by a thread that is not inside an actor. */
    boolean closeAndWait(Duration deadline) {
        if (state.compareAndSet(State.OPEN, State.CLOSING)) {
            closer = Thread.currentThread();
            boolean all = Closing.await(deadline, systemClose.ending(systemClose::drain, this::discardAll), false);
            state.set(State.CLOSED);
            systemClose.stopOvertaken();
            names.placeholders().forEach(Actor::stop);
            ShutdownHook.remove(this);
            KeepAlive.forget(this);
            counts.logRest();
            closeJmx();
            ended.complete(null);
            fromInside.over();
            closer = null;
            return all;
        }
        return closer == Thread.currentThread() // it would wait for itself
                ? hasEnded()
                : awaitClose(deadline, false);
    }

    /**
     * Waits for the thread that closes the system, and then for the handlers that it has given up. Returns the result
     * of this wait. A check after the wait may find an actor whose start the close has overtaken.
     */
    private boolean awaitClose(Duration deadline, boolean insideActor) {
        Closing.Wait both = atMost -> {
            long end = Durations.deadline(atMost);
            return Closing.await(ended, atMost) && systemClose.awaitDone(end);
        };
        return Closing.await(deadline, systemClose.ending(both, this::discardAll), insideActor);
    }

    /** Makes ready actors discard their messages. An open system stays open: another thread is about to close it. */
    private void discardAll() {
        state.compareAndSet(State.CLOSING, State.CLOSED);
    }

    private boolean hasEnded() {
        return ended.isDone() && systemClose.isDone();
    }

    @Override
    public void closeOnShutdown(Duration deadline) {
        checkOpen();
        ShutdownHook.add(this, Durations.notNegative("deadline", deadline));
        if (isClosed()) { // after the entry: a close either removes it, or is seen here
            ShutdownHook.remove(this);
            checkOpen();
        }
    }

    @Override
    public void active() {
        if (!watched) {
            KeepAlive.watch(this);
        }
    }

    void setWatched(boolean watched) {
        this.watched = watched;
    }

    @Override
    public void runnerGone(ActorThread runner) {
        counts.gone(runner);
        platformThreads.remove(runner);
    }

    @Override
    public void turnsEnded() {
        systemClose.lookAgain();
    }

    @Override
    public void rejected(ScheduledActor actor, Throwable cause) {
        Failures.ofExecutor(ActorCell.behind(actor), cause);
    }

    @Override
    public void spareNotStarted(Throwable cause) {
        KernelLog.spareNotStarted(cause);
    }

    /** Whether no actor is ready or running. */
    boolean isQuiescent() {
        return systemClose.isQuiescent();
    }

    /** The actors of this system that the calling thread is running; several if one runs on the stack of another. */
    List<ActorCell<?>> currentActors() {
        var actors = new ArrayList<ActorCell<?>>();
        ActorThread own = ActorThread.ofCurrentThread();
        if (own != null) {
            own.forEachCurrent(actor -> actors.add(ActorCell.behind(actor)));
        }
        poolWork.forEachCurrent(actor -> actors.add(ActorCell.behind(actor)));
        actors.removeIf(actor -> actor.kind.system() != this);
        return actors;
    }

    /** Whether the calling thread is inside an actor of any system. */
    boolean isInsideActor() {
        ActorThread own = ActorThread.ofCurrentThread();
        return (own != null && own.isRunning()) || !currentActors().isEmpty();
    }
}
