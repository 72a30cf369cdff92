package io.fibry.bench.hunt;

import io.fibry.Actor;
import io.fibry.ActorContext;
import io.fibry.ReplyContext;
import io.fibry.ReplyTo;
import io.fibry.StopMode;
import io.fibry.kernel.Holding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The behavior of an actor: performs the act of each message, and keeps the ledger. */
final class Behavior {

    private static final int MAX_SPAWNED = 20;
    private static final Duration PERIOD = Duration.ofMillis(1);

    private final World world;
    private final int index;

    /** The context; null if no factory has made the behavior. */
    private final @Nullable ActorContext<Message> context;

    private final List<ReplyTo<Object>> deferred = new ArrayList<>(); // the actor's own
    private final AtomicInteger inside = new AtomicInteger();

    /** @param context the actor's context, or null if it has none */
    Behavior(World world, int index, @Nullable ActorContext<Message> context) {
        this.world = world;
        this.index = index;
        this.context = context;
    }

    /** Handles a message of an actor whose handlers must not overlap. */
    Object handle(Message message) throws Exception {
        if (inside.getAndIncrement() != 0) {
            world.ledger.problem("overlap", "two handlers of a" + index + " at the same time");
        }
        try {
            return handleBeside(message);
        } finally {
            inside.getAndDecrement();
        }
    }

    /** Handles a message of a pool, whose handlers overlap. */
    Object handleBeside(Message message) throws Exception {
        if (world.over) {
            world.ledger.problem("handler after close", "a" + index + " handles " + message);
        }
        boolean stashed = false;
        try {
            stashed = act(message);
            ReplyTo<Object> replyTo = message.replyTo;
            if (!stashed && replyTo != null) {
                if (message.act == Act.DEFER) {
                    deferred.add(replyTo);
                } else {
                    reply(message, replyTo);
                }
            }
            return message.number;
        } finally {
            if (!stashed) {
                world.ledger.handled(message);
            }
        }
    }

    private void reply(Message message, ReplyTo<Object> replyTo) {
        if (replyTo.reply(message.number)) {
            message.replies.incrementAndGet();
        }
    }

    /** Returns whether the message was stashed. */
    private boolean act(Message message) throws Exception {
        ActorContext<Message> c = context;
        switch (message.act) {
            case FAIL -> throw new Intended();
            case SLEEP -> Thread.sleep(Duration.ofNanos(200_000));
            case TELL -> world.send(Verb.TELL, message.other, Act.leaf(message.number), -1);
            case ASK -> world.send(Verb.ASK_TIMED, message.other, Act.leaf(message.number), -1);
            case CALL -> world.send(Verb.CALL, message.other, Act.leaf(message.number), -1);
            case STOP_SELF -> stop(message);
            default -> {
                return c != null && act(c, message);
            }
        }
        return false;
    }

    private void stop(Message message) {
        Handle handle = world.handles.get(index);
        if (handle != null) {
            handle.actor()
                    .stop(
                            switch (message.number % 3) {
                                case 0 -> StopMode.DRAIN;
                                case 1 -> StopMode.DISCARD;
                                default -> StopMode.INTERRUPT;
                            });
        }
    }

    private boolean act(ActorContext<Message> c, Message message) throws Exception {
        switch (message.act) {
            case STASH -> {
                if (!message.stashed) {
                    c.stash();
                    message.stashed = true;
                    return true;
                }
            }
            case UNSTASH -> c.unstashAll();
            case DEFER -> {
                if (c instanceof ReplyContext<?, ?> r) {
                    defer(r);
                }
            }
            case REPLY -> {
                deferred.forEach(replyTo -> replyTo.reply(-1));
                deferred.clear();
            }
            case AFTER -> c.after(PERIOD.multipliedBy(message.number % 3), world.uncounted(Act.NOTHING));
            case EVERY -> c.every(PERIOD, world.uncounted(Act.NOTHING));
            case RECEIVE_TIMEOUT -> c.receiveTimeout(PERIOD, world.uncounted(Act.NOTHING));
            case PIPE -> pipe(c, message);
            case FORGOTTEN_PIPE -> {
                world.ledger.forgotten.set(true);
                c.pipeToSelf(new CompletableFuture<Object>(), (value, failure) -> world.uncounted(Act.NOTHING));
            }
            case RECEIVE -> c.receive(m -> m.act == Act.NOTHING, PERIOD).ifPresent(world.ledger::handled);
            case SPAWN -> spawn(c, message);
            case WATCH -> watch(c, message);
            case LINK -> {
                Handle other = world.handles.get(message.other);
                if (other != null && message.other != index) {
                    c.link(other.actor());
                }
            }
            case BECOME -> become(c);
            case HOLD -> hold(c);
            case RELEASE -> release(c);
            default -> {}
        }
        return false;
    }

    @SuppressWarnings("unchecked") // the replies of all actors of a program are objects
    private void defer(ReplyContext<?, ?> c) {
        deferred.add((ReplyTo<Object>) c.deferReply());
    }

    private void pipe(ActorContext<Message> c, Message message) {
        CompletionStage<Integer> stage = new CompletableFuture<Integer>()
                .completeOnTimeout(message.number, message.number % 3, TimeUnit.MILLISECONDS);
        c.pipeToSelf(stage, (value, failure) -> world.uncounted(Act.leaf(message.number)));
    }

    private void spawn(ActorContext<Message> c, Message message) {
        if (world.spawned.incrementAndGet() > MAX_SPAWNED) {
            return;
        }
        Actor<Message> child = c.spawn().<Message>newActorFrom(own -> new Behavior(world, index, own)::handle);
        world.ledger.ends.add(new Ledger.End("a child of a" + index, child.exit(), true));
        for (Act act : new Act[] {Act.NOTHING, Act.leaf(message.number)}) {
            world.send(Verb.TELL, Handle.of(index, Kind.ACTOR_FROM, child), world.message(act, index, -1));
        }
    }

    private void watch(ActorContext<Message> c, Message message) {
        Handle other = world.handles.get(message.other);
        if (other == null || message.other == index) {
            return;
        }
        var called = new AtomicBoolean();
        c.watch(other.actor(), exit -> {
            if (called.getAndSet(true)) {
                world.ledger.problem("watch", "a" + index + " is notified twice of the end of a" + message.other);
            }
            if (!other.actor().exit().isDone()) {
                world.ledger.problem("watch", "a" + index + " is notified of a" + message.other + ", which lives");
            }
        });
    }

    @SuppressWarnings("unchecked") // as in defer
    private void become(ActorContext<Message> c) {
        if (c instanceof ReplyContext<?, ?> r) {
            ((ReplyContext<Message, Object>) r).becomeWithReturn(this::handle);
        } else {
            c.become(this::handle);
        }
    }

    private void hold(ActorContext<Message> c) {
        try {
            Holding.hold(c);
        } catch (UnsupportedOperationException e) {
            return; // neither a limit nor a priority
        }
        c.after(PERIOD, world.uncounted(Act.RELEASE));
    }

    private static void release(ActorContext<Message> c) {
        try {
            Holding.release(c);
        } catch (UnsupportedOperationException e) {
            // neither a limit nor a priority, and hence no hold
        }
    }
}
