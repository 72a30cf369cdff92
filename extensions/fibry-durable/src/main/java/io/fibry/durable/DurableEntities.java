package io.fibry.durable;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorContext;
import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingRunnable;
import io.fibry.dispatch.Time;
import io.fibry.durable.Relay.Request;
import io.fibry.entity.Entities;
import io.fibry.entity.LocalEntities;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entities whose changes are stored. Thread-safe.
 *
 * {@snippet class = "DurableSnippets" region = "log"}
 *
 * <p>{@link #start} creates the entities of one machine, and {@code ClusterSystem.entities} the entities of a cluster.
 * An actor per type and process looks for stored messages and due reminders five times a second, and wakes their
 * entities. {@code docs/metrics.md} lists its metrics.
 *
 * @param <M> the type of the messages
 * @param <R> the type of the replies; {@link Void} if messages have none
 */
public final class DurableEntities<M, R extends @Nullable Object> implements Entities<String, M, R> {

    private static final Logger LOG = LoggerFactory.getLogger(DurableEntities.class);

    private final DurableType<M, R> type;
    private final Entities<String, DurableMessage<M>, R> entities;

    /** Ends the delivery of stored messages. */
    private final Runnable stopDelivery;

    private DurableEntities(
            DurableType<M, R> type, Entities<String, DurableMessage<M>, R> entities, Runnable stopDelivery) {
        this.type = type;
        this.entities = entities;
        this.stopDelivery = stopDelivery;
    }

    /** Starts entities on this machine with the default options, in the default actor system. */
    public static <M, R extends @Nullable Object> DurableEntities<M, R> start(Persistence<M, R> persistence) {
        return start(persistence, DurableOptions.defaults());
    }

    /** Starts entities on this machine, in the default actor system. */
    public static <M, R extends @Nullable Object> DurableEntities<M, R> start(
            Persistence<M, R> persistence, DurableOptions options) {
        return start(ActorSystem.defaultSystem().actor(), persistence, options);
    }

    /**
     * Starts entities on this machine.
     *
     * @param builder builds the parent of the entities; its strategy is that of the entities
     * @throws IllegalArgumentException as {@link LocalEntities#start}
     * @throws IllegalStateException if the system is closed, or the name is taken
     */
    public static <M, R extends @Nullable Object> DurableEntities<M, R> start(
            ActorBuilder<Object> builder, Persistence<M, R> persistence, DurableOptions options) {
        LocalEntities<String, DurableMessage<M>, R> local = LocalEntities.start(
                builder, key -> StoredEntity.begin(persistence, key, options, () -> {}), options.entities());
        return deliver(builder.system().actor().childOf(local), local, persistence, options);
    }

    /**
     * Creates entities by another host, such as a node of a cluster.
     *
     * @param awaitOwnership waits until it is certain that the host owns its entities, and throws an exception if it
     *     has lost them. An entity calls it inside its actor before each stored message, because it may handle many of
     *     them after a single message of the host. If it throws, the message stays stored
     * @param system the system of the actor that delivers stored messages
     */
    public static <M, R extends @Nullable Object> DurableEntities<M, R> on(
            EntityHost host,
            ThrowingRunnable awaitOwnership,
            ActorSystem system,
            Persistence<M, R> persistence,
            DurableOptions options) {
        DurableType<M, R> type = persistence.type();
        Entities<String, DurableMessage<M>, R> hosted = host.entities(
                type.name(),
                new DurableMessageCodec<>(type.messages()),
                type.replies(),
                key -> StoredEntity.begin(persistence, key, options, awaitOwnership),
                options.entities());
        return deliver(system.actor(), hosted, persistence, options);
    }

    /**
     * Returns entities that other processes host.
     *
     * @param clients returns the entities of a type, given its name and codecs
     */
    public static <M, R extends @Nullable Object> DurableEntities<M, R> client(
            EntityClients clients, DurableType<M, R> type) {
        Entities<String, DurableMessage<M>, R> remote =
                clients.client(type.name(), new DurableMessageCodec<>(type.messages()), type.replies());
        return new DurableEntities<>(type, remote, () -> {});
    }

    private static <M, R extends @Nullable Object> DurableEntities<M, R> deliver(
            ActorBuilder<Object> builder,
            Entities<String, DurableMessage<M>, R> entities,
            Persistence<M, R> persistence,
            DurableOptions options) {
        DurableStore store = persistence.store();
        String type = persistence.name();
        var counts = new RelayCounts();
        Actor<Request> relay = DeliveryActor.of(
                builder.strategy(ThreadStrategy.virtual())
                        .label(type + ", stored messages")
                        .newActorFrom((ActorContext<Request> context) ->
                                new Relay<>(context, store, type, options, entities, counts)::handle),
                counts,
                store.counts(type));
        Consumer<String> listener = id -> tell(relay, new Relay.Stored(id));
        store.addListener(type, listener);
        relay.closeOnExit(() -> store.removeListener(type, listener));
        return new DurableEntities<>(persistence.type(), entities, () -> {
            store.removeListener(type, listener);
            relay.stop();
        });
    }

    private static void tell(Actor<Request> relay, Request request) {
        try {
            relay.tell(request);
        } catch (ActorStoppedException e) {
            LOG.trace("The message stays stored, because the entities of this process have been closed.", e);
        }
    }

    /** Returns the type of these entities. */
    public DurableType<M, R> type() {
        return type;
    }

    @Override
    public String name() {
        return entities.name();
    }

    @Override
    public DurableRef<M, R> ref(String key) {
        Names.checkId(key);
        return new DurableRef<>(entities.ref(key));
    }

    /**
     * Stores a message to the entity of this key in a transaction of the program. The entity handles it exactly once if
     * the transaction is committed, and never if it is rolled back. It may be called on any node, and before the
     * entities are started. Such messages have no order after a failure: if one cannot be handled, later ones to the
     * same entity are handled first.
     *
     * {@snippet class = "EffectSnippets" region = "transaction"}
     *
     * @param connection a connection to the database of the entities, without auto-commit
     * @throws IllegalStateException if the connection is in auto-commit mode
     * @throws SQLException if the statement fails
     */
    public static <M> void send(Connection connection, DurableType<M, ?> type, String key, M message)
            throws SQLException {
        Names.checkId(key);
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "the connection is in auto-commit mode: call setAutoCommit(false), and commit after the call");
        }
        byte[] bytes = type.messages().encode(Objects.requireNonNull(message, "message"));
        MessageRows.insert(connection, type.name(), key, Time.now(), bytes);
    }

    @Override
    public void end(String key) {
        entities.end(key);
    }

    @Override
    public int size() {
        return entities.size();
    }

    @Override
    public void close() {
        stopDelivery.run();
        entities.close();
    }

    @Override
    public String toString() {
        return name();
    }
}
