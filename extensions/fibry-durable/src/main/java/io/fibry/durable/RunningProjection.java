package io.fibry.durable;

import io.fibry.ActorSystem;
import io.fibry.ThrowingConsumer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Projection} that runs on this node. All methods are safe for use by any thread. The projector and the
 * recipient of events must not call {@link #pause}, {@link #rebuild} or {@link #close}, which would wait for them.
 * Close the projection before the store.
 */
public final class RunningProjection implements AutoCloseable {

    private final String name;
    private final EventSource<?> source;
    private final ProjectionLoop loop;

    /** The systems that have the metrics of this projection. */
    private final Set<ActorSystem> systems = ConcurrentHashMap.newKeySet();

    private <E> RunningProjection(
            String name, EventSource<E> source, Projection.BatchFactory<E> batches, Projection.Settings settings) {
        this.name = name;
        this.source = source;
        loop = new ProjectionLoop(name, source, batches, settings);
    }

    static <E> RunningProjection start(
            String name, EventSource<E> source, Projection.BatchFactory<E> batches, Projection.Settings settings) {
        var running = new RunningProjection(name, source, batches, settings);
        running.loop.start();
        return running;
    }

    /** Returns the name of the projection. */
    public String name() {
        return name;
    }

    /** Returns the current status. Does not use the database. */
    public ProjectionStatus status() {
        return loop.status();
    }

    /**
     * Adds the metrics of this projection to {@link ActorSystem#metrics}, with the tag {@code server} and the value
     * {@code projection-} and the name: its lag, the events that this node has handled, and the stopped slices. They
     * are removed when the projection or the system is closed. A further call with the same system has no effect.
     *
     * @throws IllegalStateException if the system is closed, or has an actor of this name
     */
    public void publishMetrics(ActorSystem system) {
        if (systems.add(Objects.requireNonNull(system, "system"))) {
            boolean published = false;
            try {
                loop.onEnd(ProjectionMetrics.publish(this, system));
                published = true;
            } finally {
                if (!published) {
                    systems.remove(system);
                }
            }
        }
    }

    /**
     * Pauses the projection on this node, and waits for its running batches, which end after their current event. Other
     * nodes continue, with all slices: to pause a projection, call this method on all of them. A pause ends with
     * {@link #resume}, or with the process.
     *
     * @throws InterruptedException if the calling thread is interrupted; the projection pauses nevertheless
     */
    public void pause() throws InterruptedException {
        loop.pause();
    }

    /** Ends a pause, and retries all slices that have failed or are stopped at once. */
    public void resume() {
        loop.resume();
    }

    /**
     * Begins again with the first event, on all nodes. A pause continues. Events that have been deleted by
     * {@link EventLog#deleteHistory} are missing then.
     *
     * @throws SQLException if the database fails, or a batch of any node does not end within about 10 seconds; nothing
     *     has changed unless the commit has failed
     * @throws InterruptedException if the calling thread is interrupted; the outcome is unknown
     */
    public void rebuild() throws SQLException, InterruptedException {
        rebuild(connection -> {});
    }

    /**
     * Begins again with the first event, on all nodes, and removes the effects of former events in the same
     * transaction. See {@link #rebuild()}.
     *
     * @param clear removes the effects. With H2, use {@code DELETE}: {@code TRUNCATE} would commit the transaction
     * @throws SQLException if the database or the function fails, or a batch of any node does not end within about 10
     *     seconds; nothing has changed unless the commit has failed
     * @throws InterruptedException if the calling thread is interrupted; the outcome is unknown
     */
    public void rebuild(ThrowingConsumer<Connection> clear) throws SQLException, InterruptedException {
        Objects.requireNonNull(clear, "clear");
        source.store().<@Nullable Void>transact(connection -> {
            rebuild(connection, clear);
            return null;
        });
        loop.retry();
    }

    /**
     * Batches of all nodes keep the row of their slice locked until their commit. With all rows locked, the effects of
     * all former batches are therefore visible to this transaction, and removed by the function. A batch that starts
     * meanwhile skips its slice, or finds the new position after the commit.
     */
    private void rebuild(Connection connection, ThrowingConsumer<Connection> clear) throws SQLException {
        source.rows().lockAll(connection);
        try (var guarded = new GuardedConnection(connection)) {
            clear.accept(guarded.connection());
        } catch (SQLException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new SQLException("the effects of the projection cannot be removed: " + e, e);
        }
        source.rows().reset(connection);
    }

    /**
     * Ends the projection on this node. Waits for its running batches, which end after their current event. An
     * interrupt ends the wait, not the batches. Further calls have no effect, except to wait.
     */
    @Override
    public void close() {
        try {
            loop.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
