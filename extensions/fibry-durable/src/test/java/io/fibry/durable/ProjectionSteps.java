package io.fibry.durable;

import io.fibry.durable.Projection.Projector;
import java.util.List;

/** Runs the batches of a projection on the calling thread, which a test controls. */
public final class ProjectionSteps<E> {

    private final EventSource<E> source;
    private final Batch batch;

    public ProjectionSteps(String name, EventLog<?, ?, E, ?> log, Projector<E> projector) {
        var store = (JdbcStore) log.store();
        source = new EventSource<>(store, new ProjectionRows(name, log.name(), store.seconds()), log.events());
        batch = new TransactionBatch<>(source, projector, () -> false);
    }

    /**
     * Handles all events that are stored, in batches of at most this number of events. Returns whether there were any.
     *
     * @throws Exception if an event or the database fails
     */
    public boolean run(int limit) throws Exception {
        source.rows().register(source.store());
        List<ProjectionRows.Unread> unread = source.store().read(source.rows()::unread);
        for (ProjectionRows.Unread slice : unread) {
            boolean hasMore;
            do {
                hasMore = batch.run(slice.slice(), limit).hasMore();
            } while (hasMore);
        }
        return !unread.isEmpty();
    }
}
