package io.fibry.cluster.pekko;

import io.fibry.ActorStoppedException;
import io.fibry.AskTimeoutException;
import io.fibry.MailboxFullException;
import io.fibry.StopMode;
import io.fibry.cluster.pekko.FencedBehavior.HandlerFailedException;
import io.fibry.cluster.pekko.FencedBehavior.Question;
import io.fibry.cluster.pekko.Packet.Answer;
import io.fibry.cluster.pekko.Packet.Answer.Outcome;
import io.fibry.cluster.pekko.Packet.ToEntity;
import io.fibry.codec.CodecException;
import io.fibry.entity.LocalEntities;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.jspecify.annotations.Nullable;

/**
 * A shard that this node owns. It forwards messages to the entities. It is Pekko's only actor for the shard, so the
 * shard moves when this actor has ended. Pekko ends an actor after its children, and the child of this actor waits
 * until all entities of the shard have ended. Therefore the shard never moves before the end of its entities, not even
 * after Pekko's own timeout of a hand-over.
 */
final class ShardActor<M, R extends @Nullable Object> extends AbstractActor {

    /** Pekko's request to hand over the shard. */
    enum Stop {
        STOP
    }

    private enum Ended {
        ENDED
    }

    private enum Begin {
        BEGIN
    }

    /**
     * After a move, the new owner receives messages that the previous owner has forwarded, and later messages of the
     * same senders that arrive directly. Both begin to arrive when the nodes learn of the new owner. Messages are held
     * for this time, and the forwarded messages are then handled first.
     */
    private static final Duration HOLD = Duration.ofMillis(25);

    private static final int LONGEST_TEXT = 2_000;

    private final EntityType<M, R> type;
    private final PekkoCluster cluster;
    private final int shard;
    private final LocalEntities<String, Object, R> entities;
    private @Nullable List<Held> held = new ArrayList<>();
    private volatile boolean stopping; // read by the keeper

    private record Held(ToEntity packet, ActorRef asker) {}

    /** Called by Pekko, which has named the actor after the number of the shard. */
    ShardActor(EntityType<M, R> type) {
        this.type = type;
        cluster = type.cluster();
        shard = Integer.parseInt(self().path().name());
        entities = type.own(shard);
        getContext()
                .actorOf(Props.create(Keeper.class, () -> new Keeper(entities, () -> stopping))
                        .withDispatcher(Settings.WAITING));
        var system = getContext().getSystem();
        system.getScheduler().scheduleOnce(HOLD, self(), Begin.BEGIN, system.dispatcher(), ActorRef.noSender());
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(ToEntity.class, packet -> receive(packet, sender()))
                .match(Begin.class, begin -> begin())
                .match(Stop.class, stop -> stopEntities())
                .match(Ended.class, ended -> getContext().stop(self()))
                .build();
    }

    private void begin() {
        List<Held> messages = held;
        if (messages != null) {
            held = null;
            messages.sort(Comparator.comparing(message -> message.packet().resends == 0)); // a stable sort
            messages.forEach(message -> receive(message.packet(), message.asker()));
        }
    }

    private void stopEntities() {
        begin();
        ActorRef self = self();
        type.leaves(shard);
        CompletableFuture<?> unused =
                entities.stop(cluster.options().drain()).thenRun(() -> self.tell(Ended.ENDED, ActorRef.noSender()));
        stopping = true;
    }

    @Override
    public void postStop() {
        List<Held> messages = held;
        if (messages != null) {
            messages.forEach(message -> cluster.undelivered(message.packet()));
        }
        type.left(shard);
    }

    /**
     * Waits for the entities in {@code postStop}, on a virtual thread. If Pekko stops the shard before the end of the
     * drain, the drain continues.
     */
    private static final class Keeper extends AbstractActor {
        private final LocalEntities<?, ?, ?> entities;
        private final BooleanSupplier draining;

        Keeper(LocalEntities<?, ?, ?> entities, BooleanSupplier draining) {
            this.entities = entities;
            this.draining = draining;
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder().build();
        }

        @Override
        public void postStop() {
            if (!draining.getAsBoolean()) {
                entities.stop(StopMode.INTERRUPT); // no effect after the end
            }
            entities.exit().join();
        }
    }

    // ---- messages

    private void receive(ToEntity packet, ActorRef asker) {
        List<Held> messages = held;
        if (messages != null) {
            messages.add(new Held(packet, asker));
            return;
        }
        if (stopping) { // redelivered to the next owner
            cluster.undelivered(packet);
            return;
        }
        switch (packet.kind) {
            case END -> entities.end(packet.key);
            case START -> start(packet.key);
            case TELL -> tell(packet);
            case ASK -> ask(packet, asker);
        }
    }

    /** Starts the only entity of its type, unless it exists or this node may not start it. */
    private void start(String key) {
        if (entities.size() > 0 || !cluster.fencing().isOpen()) {
            return;
        }
        try {
            entities.ref(key).tell(FencedBehavior.Start.START);
        } catch (ActorStoppedException e) {
            return; // this node has been removed
        }
    }

    private void tell(ToEntity packet) {
        try {
            if (!entities.ref(packet.key).tryTell(type.decoded(packet.message))) {
                cluster.counts().refused();
            }
        } catch (MailboxFullException | CodecException e) {
            cluster.counts().refused();
        } catch (ActorStoppedException e) { // this node has been removed
            cluster.counts().lost();
        }
    }

    private void ask(ToEntity packet, ActorRef asker) {
        if (packet.isLate()) {
            return;
        }
        M message;
        try {
            message = type.decoded(packet.message);
        } catch (CodecException e) {
            cluster.counts().refused();
            cluster.router().answer(asker, failure(packet, Outcome.NOT_DECODED, text(e)));
            return;
        }
        var question = new Question(message, packet);
        CompletableFuture<R> unused = entities.ref(packet.key)
                .ask(question, Duration.ofMillis(packet.millisLeft()))
                .whenComplete((reply, failure) -> {
                    if (question.isSkipped()) {
                        return;
                    }
                    Answer answer = failure == null ? answer(packet, reply) : answer(packet, failure);
                    if (answer != null) {
                        cluster.router().answer(asker, answer);
                    }
                });
    }

    private Answer answer(ToEntity packet, R reply) {
        try {
            return new Answer(packet.ask, Outcome.REPLIED, type.encodedReply(reply));
        } catch (Throwable e) {
            return failure(packet, Outcome.FAILED, "its reply cannot be encoded: " + text(e));
        }
    }

    /** Returns the answer for a failure, or null if the asker has already timed out. */
    private @Nullable Answer answer(ToEntity packet, Throwable failure) {
        return switch (failure) {
            case AskTimeoutException e -> null;
            case MailboxFullException e -> {
                cluster.counts().refused();
                yield failure(packet, Outcome.MAILBOX_FULL, text(e));
            }
            case ActorStoppedException e -> // includes NoMajorityException of the fence
                notHandled(packet, e);
            case HandlerFailedException e -> failure(packet, Outcome.FAILED, text(e));
            default -> failure(packet, Outcome.FAILED, failure.toString());
        };
    }

    private Answer notHandled(ToEntity packet, Exception e) {
        String text = "entity " + type.nameOf(packet.key) + " has not handled the message: " + e.getMessage();
        return failure(packet, Outcome.STOPPED, text);
    }

    private static Answer failure(ToEntity packet, Outcome outcome, String text) {
        String limited = text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "..";
        return new Answer(packet.ask, outcome, limited.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Throwable e) {
        String message = e.getMessage();
        return message == null ? e.toString() : message;
    }
}
