package io.fibry.bench.hunt;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.Overflow;
import io.fibry.Supervision;
import io.fibry.Supervisor;
import io.fibry.SupervisorSpec;
import io.fibry.ThreadStrategy;
import io.fibry.batch.BatchOptions;
import io.fibry.batch.Batcher;
import io.fibry.entity.EntityOptions;
import io.fibry.entity.LocalEntities;
import io.fibry.pool.PoolOptions;
import io.fibry.pool.WorkerPool;
import io.fibry.topic.LocalTopic;
import io.fibry.topic.TopicOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Starts the actors of a {@link Program}. */
final class Starter {

    /**
     * The executor of all concurrent programs. It is unbounded: a handler of one program must not wait for a handler of
     * another.
     */
    private static final Executor CACHED_THREADS = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            1,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofPlatform().daemon().name("pool-", 0).factory());

    private static final int CAPACITY = 2;

    private final World world;
    private final int index;
    private final Set<Trait> traits;

    Starter(World world, int index) {
        this.world = world;
        this.index = index;
        traits = world.program.traits(index);
    }

    /** Starts the actor, and records it and its end. */
    void start(Kind kind) {
        Handle handle = started(kind);
        world.handles.set(index, handle);
        // a system has no reference to an idle actor without resources
        boolean known = (!kind.isSingle() && kind != Kind.TOPIC && kind != Kind.SUPERVISOR)
                || traits.contains(Trait.NAMED)
                || (traits.contains(Trait.PLATFORM) && kind != Kind.SUPERVISOR) // which always has a virtual thread
                || traits.contains(Trait.HOOK);
        world.ledger.ends.add(new Ledger.End("a" + index, handle.actor().exit(), known));
    }

    private Handle started(Kind kind) {
        ActorBuilder<Object> builder = builder(kind);
        return switch (kind) {
            case ACTOR -> Handle.of(index, kind, builder.<Message>newActor(plain()::handle));
            case ACTOR_FROM ->
                Handle.of(index, kind, builder.<Message>newActorFrom(c -> new Behavior(world, index, c)::handle));
            case REPLYING -> Handle.of(index, kind, builder.<Message, Object>newActorWithReturn(plain()::handle));
            case REPLYING_FROM ->
                Handle.of(
                        index,
                        kind,
                        builder.<Message, Object>newActorWithReturnFrom(c -> new Behavior(world, index, c)::handle));
            case POOL -> Handle.of(index, kind, pool(builder));
            case BATCHER -> Handle.of(index, kind, batcher(builder));
            case TOPIC -> Handle.of(index, kind, topic(builder));
            case ENTITIES -> entities(builder);
            case SUPERVISOR -> supervisor(builder);
        };
    }

    private Behavior plain() {
        return new Behavior(world, index, null);
    }

    // ---- options

    private ActorBuilder<Object> builder(Kind kind) {
        ActorBuilder<Object> b =
                traits.contains(Trait.NAMED) ? world.system.actor(world.name(index)) : world.system.actor();
        if (!traits.contains(Trait.NAMED) && traits.contains(Trait.PLATFORM)) {
            b.label(world.name(index)); // the name of its thread
        }
        b.strategy(strategy());
        if (kind != Kind.POOL && kind != Kind.TOPIC && kind != Kind.ENTITIES) { // which refuse it
            b.supervision(supervision(kind));
        }
        if (traits.contains(Trait.HOOK)) {
            b.onStop(exit -> {});
        }
        if (traits.contains(Trait.CHILD) && index > 0) {
            Handle parent = world.handles.get(index - 1);
            if (parent != null) {
                b.childOf(parent.actor());
            }
        }
        Overflow overflow = overflow(traits);
        if (overflow != null && kind.isSingle()) {
            b.bounded(CAPACITY, overflow);
        }
        return traits.contains(Trait.PRIORITY) && kind.isSingle() && overflow != Overflow.DROP_OLDEST
                ? b.priority((x, y) -> Integer.compare(((Message) x).number % 3, ((Message) y).number % 3))
                : b;
    }

    private ThreadStrategy strategy() {
        if (traits.contains(Trait.PLATFORM)) {
            return ThreadStrategy.platform();
        }
        if (traits.contains(Trait.EXECUTOR)) {
            return ThreadStrategy.pool(CACHED_THREADS);
        }
        return traits.contains(Trait.SAME_THREAD) ? ThreadStrategy.pool(Runnable::run) : ThreadStrategy.virtual();
    }

    private Supervision supervision(Kind kind) {
        boolean mayRestart = kind.hasContext() || kind == Kind.ENTITIES;
        if (traits.contains(Trait.RESTART) && mayRestart) {
            return Supervision.restart();
        }
        if (traits.contains(Trait.BACKOFF) && mayRestart) {
            return Supervision.restart().backoff(Duration.ofMillis(1), Duration.ofMillis(4));
        }
        if (traits.contains(Trait.STOP)) {
            return Supervision.stop();
        }
        return traits.contains(Trait.ESCALATE) ? Supervision.escalate() : Supervision.resume();
    }

    private static @Nullable Overflow overflow(Set<Trait> traits) {
        for (Overflow overflow : Overflow.values()) {
            if (traits.contains(Trait.valueOf(overflow.name()))) {
                return overflow;
            }
        }
        return null;
    }

    /** Returns whether messages to this actor may be dropped. */
    static boolean drops(Set<Trait> traits) {
        Overflow overflow = overflow(traits);
        return overflow == Overflow.DROP_NEWEST || overflow == Overflow.DROP_OLDEST;
    }

    // ---- features

    private Actor<Message> pool(ActorBuilder<Object> builder) {
        PoolOptions<Object> options = PoolOptions.of(2);
        Overflow overflow = overflow(traits);
        if (overflow != null) {
            options = options.bounded(CAPACITY, overflow);
        }
        return WorkerPool.<Message, Object>startWithReturn(
                builder.strategy(strategy()), plain()::handleBeside, options);
    }

    private Actor<Message> batcher(ActorBuilder<Object> builder) {
        BatchOptions options = BatchOptions.of(3, Duration.ofMillis(1));
        Overflow overflow = overflow(traits);
        if (overflow != null) {
            options = options.bounded(CAPACITY, overflow);
        }
        Behavior behavior = plain();
        return Batcher.<Message, Object>startWithReturn(builder, batch -> all(behavior, batch), options);
    }

    /**
     * Handles all messages of a batch. A failure of one message would fail the others, and is therefore only recorded.
     */
    private List<Object> all(Behavior behavior, List<Message> batch) throws Exception {
        List<Object> replies = new ArrayList<>();
        for (Message message : batch) {
            try {
                replies.add(behavior.handle(message));
            } catch (Exception e) {
                if (!world.isExpected(e)) {
                    throw e;
                }
                replies.add(-1);
            }
        }
        return replies;
    }

    private LocalTopic<Message> topic(ActorBuilder<Object> builder) {
        Overflow overflow = overflow(traits);
        TopicOptions options = TopicOptions.defaults();
        return LocalTopic.start(builder, overflow == null ? options : options.bounded(CAPACITY, overflow));
    }

    private Handle entities(ActorBuilder<Object> builder) {
        EntityOptions options = EntityOptions.defaults().supervision(supervision(Kind.ENTITIES));
        if (traits.contains(Trait.IDLE_TIMEOUT)) {
            options = options.idleTimeout(Duration.ofMillis(2));
        }
        if (traits.contains(Trait.MAX_IN_MEMORY)) {
            options = options.maxInMemory(2);
        }
        Overflow overflow = overflow(traits);
        if (overflow != null) {
            options = options.bounded(CAPACITY, overflow);
        }
        var entities = LocalEntities.<Integer, Message, Object>start(
                builder.strategy(strategy()), key -> plain()::handle, options);
        return new Handle(index, Kind.ENTITIES, entities, null, entities, null);
    }

    private Handle supervisor(ActorBuilder<Object> builder) {
        SupervisorSpec spec = switch (index % 3) {
            case 0 -> SupervisorSpec.oneForOne();
            case 1 -> SupervisorSpec.oneForAll();
            default -> SupervisorSpec.restForOne();
        };
        if (traits.contains(Trait.BACKOFF)) {
            spec = spec.backoff(Duration.ofMillis(1), Duration.ofMillis(4));
        }
        ThreadStrategy strategy = strategy();
        Supervisor supervisor = builder.newSupervisor(spec.limit(10, Duration.ofSeconds(1))
                .child(
                        Handle.child(index, 0),
                        SupervisorSpec.Restart.PERMANENT,
                        child -> child.strategy(strategy)
                                .<Message, Object>newActorWithReturnFrom(c -> new Behavior(world, index, c)::handle))
                .child(
                        Handle.child(index, 1),
                        SupervisorSpec.Restart.TRANSIENT,
                        child -> child.strategy(strategy).<Message>newActor(plain()::handle)));
        return new Handle(index, Kind.SUPERVISOR, supervisor, null, null, supervisor);
    }
}
