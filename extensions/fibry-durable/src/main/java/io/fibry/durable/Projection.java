package io.fibry.durable;

import io.fibry.ActorRef;
import io.fibry.Backoff;
import io.fibry.ThrowingConsumer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A reader of all events of an {@link EventLog}, such as for a report or a search index. Immutable and thread-safe.
 *
 * {@snippet class = "DurableSnippets" region = "projection"}
 *
 * <p>{@link #start} begins after the last event that a projection of this name has handled, or with the first event of
 * the log. Events of a key are handled in the order of their versions. Events of different keys are handled in
 * parallel, in any order: the keys are divided into slices, and each slice has a position. Several nodes may start the
 * same projection, and share its slices; each node looks for new events every 50 ms. The log must be in a
 * {@link JdbcStore}.
 *
 * <p>There are two forms:
 *
 * <ul>
 *   <li><b>Exactly once</b>: {@link #of} calls a {@link Projector} with a connection, and stores the position in the
 *       same transaction. Events are handled in batches of up to 500; a batch ends at the latest after the event that
 *       is handled 100 ms after the first one has begun. With PostgreSQL, a batch locks its position only, and delays
 *       neither entities nor other slices.
 *   <li><b>At least once</b>: {@link #toConsumer}, {@link #toActor} and {@link #toSubscriber} deliver events outside a
 *       transaction, and store the position afterwards. Events may be repeated after a failure. A node that delivers
 *       leases the slice. After a crash, another node, or the same one after a restart, continues when the lease has
 *       expired. A lease lasts 30 seconds; with {@link #toActor}, it lasts 20 seconds longer than the timeout. A
 *       delivery that takes longer may be repeated by another node meanwhile.
 * </ul>
 *
 * <p><b>Failures.</b> If an event fails, or cannot be decoded, its slice is repeated from this event with a backoff, by
 * default until the 8th failure, after one to two minutes. Then the node stops the slice until {@link
 * RunningProjection#resume}, and logs an error; the other slices continue. Other nodes, and this one after a restart,
 * try the slice again. A failed database is retried without a limit. {@link RunningProjection#status} has all failures.
 *
 * <p><b>Threads.</b> A running projection has platform threads of its own: one which looks for new events, and up to
 * four, or the number of {@link #parallelism}, which handle them, so that slow projectors do not delay entities. With
 * H2, which has one connection, projectors run on the thread of the store, and a slow one delays all entities of the
 * process.
 *
 * @param <E> the type of the events
 */
public final class Projection<E> {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration MORE_THAN_TIMEOUT = Duration.ofSeconds(20);

    /** Its end is a time that databases can store. */
    private static final Duration LONGEST_LEASE = Duration.ofDays(10_000);

    /** Handles an event inside a transaction: see {@link Projection#of}. */
    @FunctionalInterface
    public interface Projector<E> {

        /**
         * Handles an event. Called by one thread at a time for each key, and concurrently for different keys.
         *
         * @param connection a connection to the database of the store, in the transaction that stores the position. It
         *     refuses to commit, and it is invalid after the batch
         * @throws Exception rolls the transaction back; the event is repeated
         */
        void project(Connection connection, Recorded<E> event) throws Exception;
    }

    private final String name;
    private final EventLog<?, ?, E, ?> log;
    private final BatchFactory<E> batches;
    private final Settings settings;

    private Projection(String name, EventLog<?, ?, E, ?> log, BatchFactory<E> batches, Settings settings) {
        this.name = Objects.requireNonNull(name, "name");
        this.log = Objects.requireNonNull(log, "log");
        this.batches = batches;
        this.settings = settings;
        Names.checkProjection(name);
        if (!(log.store() instanceof JdbcStore)) {
            throw new IllegalArgumentException("a projection needs a log in a JdbcStore");
        }
    }

    /**
     * Returns a projection whose effects in the database happen exactly once: they are committed together with the
     * position.
     *
     * <p>The projector should be quick and use only its connection. The transaction ends after 60 seconds without a
     * statement, because a suspended process must not keep its locks (PostgreSQL); this counts as a failure of the
     * projector. With H2, it must not use statements that commit, such as {@code CREATE} and {@code TRUNCATE}. For
     * calls to other systems, use {@link #toConsumer}.
     *
     * @param name identifies the positions in the store; at most 100 characters
     */
    public static <E> Projection<E> of(String name, EventLog<?, ?, E, ?> log, Projector<E> projector) {
        Objects.requireNonNull(projector, "projector");
        return new Projection<>(
                name, log, (source, halt) -> new TransactionBatch<>(source, projector, halt), Settings.DEFAULTS);
    }

    /**
     * Returns a projection that delivers each event at least once to a function, which returns when the event has taken
     * effect. The function is called outside a transaction, and may block.
     *
     * @param name identifies the positions in the store; at most 100 characters
     */
    public static <E> Projection<E> toConsumer(
            String name, EventLog<?, ?, E, ?> log, ThrowingConsumer<? super Recorded<E>> consumer) {
        Objects.requireNonNull(consumer, "consumer");
        return to(name, log, LEASE, (event, lease) -> {
            consumer.accept(event);
            return true;
        });
    }

    /**
     * Returns a projection that asks an actor for each event at least once. The next event of a slice is sent after the
     * reply. An exception of the behavior and a timeout are failures.
     *
     * @param name identifies the positions in the store; at most 100 characters
     */
    public static <E, R extends @Nullable Object> Projection<E> toActor(
            String name, EventLog<?, ?, E, ?> log, ActorRef<? super Recorded<E>, R> actor, Duration timeout) {
        Objects.requireNonNull(actor, "actor");
        Duration lease = timeout.compareTo(LONGEST_LEASE) < 0 ? timeout.plus(MORE_THAN_TIMEOUT) : LONGEST_LEASE;
        return to(name, log, lease, new AskDelivery<>(actor, timeout));
    }

    /**
     * Returns a projection that delivers each event at least once to a subscriber. An event counts as delivered when
     * {@code onNext} returns: a subscriber that keeps events in a queue loses them in a crash. If the subscriber
     * cancels or throws, the projection closes. {@code onComplete} follows the close. A subscriber has one
     * subscription, so the projection can be started once.
     *
     * @param name identifies the positions in the store; at most 100 characters
     */
    public static <E> Projection<E> toSubscriber(
            String name, EventLog<?, ?, E, ?> log, Flow.Subscriber<? super Recorded<E>> subscriber) {
        return to(name, log, LEASE, new SubscriberDelivery<>(subscriber));
    }

    private static <E> Projection<E> to(String name, EventLog<?, ?, E, ?> log, Duration lease, Delivery<E> delivery) {
        return new Projection<>(
                name, log, (source, halt) -> new DeliveryBatch<>(source, delivery, lease, halt), Settings.DEFAULTS);
    }

    /**
     * Returns a projection that handles at most this number of slices at a time on each node; by default four. In the
     * form with exactly one effect, each of them uses a connection, in addition to the 16 of the store.
     *
     * @throws IllegalArgumentException unless it is between 1 and 32
     */
    public Projection<E> parallelism(int slices) {
        if (slices < 1 || slices > Slices.COUNT) {
            throw new IllegalArgumentException("the parallelism must be 1 to " + Slices.COUNT + ", not " + slices);
        }
        return new Projection<>(name, log, batches, new Settings(slices, settings.attempts, settings.backoff));
    }

    /**
     * Returns a projection that stops a slice when an event has failed this number of times; by default 8.
     *
     * @param backoff the pauses between the attempts; by default 1 second, doubled up to 1 minute
     * @throws IllegalArgumentException if the number of attempts is not positive
     */
    public Projection<E> attempts(int attempts, Backoff backoff) {
        Objects.requireNonNull(backoff, "backoff");
        if (attempts < 1) {
            throw new IllegalArgumentException("there must be at least 1 attempt, not " + attempts);
        }
        return new Projection<>(name, log, batches, new Settings(settings.parallelism, attempts, backoff));
    }

    /**
     * Starts the projection on this node, until {@link RunningProjection#close}.
     *
     * @throws IllegalStateException if the projection of this name reads another type, or the store has been closed
     * @throws SQLException if the database fails
     * @throws InterruptedException if the calling thread is interrupted
     */
    public RunningProjection start() throws SQLException, InterruptedException {
        var store = (JdbcStore) log.store();
        var source = new EventSource<>(store, new ProjectionRows(name, log.name(), store.seconds()), log.events());
        source.rows().register(store);
        return RunningProjection.start(name, source, batches, settings);
    }

    /** Returns the batches of a running projection. */
    interface BatchFactory<E> {
        Batch create(EventSource<E> source, Batch.Halt halt);
    }

    /** The number of slices that run at a time, and the attempts for an event that fails. */
    record Settings(int parallelism, int attempts, Backoff backoff) {

        static final Settings DEFAULTS = new Settings(4, 8, new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1)));
    }
}
