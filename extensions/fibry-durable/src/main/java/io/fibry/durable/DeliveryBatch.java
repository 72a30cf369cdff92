package io.fibry.durable;

import io.fibry.durable.EventPage.Row;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers events, and stores the position afterwards. No transaction is open meanwhile: the recipient may use the same
 * store, which has one connection in the case of H2. Instead, the node leases the slice. A node whose lease has expired
 * may still deliver the current event, but cannot store its position if another node has leased the slice.
 */
final class DeliveryBatch<E> implements Batch {

    private static final Logger LOG = LoggerFactory.getLogger(Projection.class);

    private final EventSource<E> source;
    private final Delivery<E> delivery;
    private final Duration lease;
    private final Halt halt;

    DeliveryBatch(EventSource<E> source, Delivery<E> delivery, Duration lease, Halt halt) {
        this.source = source;
        this.delivery = delivery;
        this.lease = lease;
        this.halt = halt;
    }

    @Override
    public void begin(Runnable close) {
        delivery.begin(close);
    }

    @Override
    public void end() {
        delivery.end();
    }

    @Override
    public Outcome run(int slice, int limit) throws Exception {
        if (!delivery.isReady()) {
            return Outcome.NONE;
        }
        var granted = Delivery.Lease.of(lease);
        EventPage page =
                source.store().<@Nullable EventPage>transact(c -> source.rows().lease(c, slice, limit, lease));
        if (page == null) {
            return Outcome.NONE;
        }
        Delivered delivered = deliver(page.rows(), granted);
        long position = page.position(delivered.events);
        if (!source.store().transact(c -> source.rows().release(c, slice, position))) {
            LOG.debug("The lease of slice {} has expired: its events may be delivered again.", slice);
            return Outcome.NONE;
        }
        if (delivered.failure != null) {
            throw delivered.failure;
        }
        return new Outcome(delivered.events, delivered.isAccepted && page.hasMore(delivered.events));
    }

    private record Delivered(
            int events, boolean isAccepted, @Nullable EventFailure failure) {}

    /** A failure ends the batch after the events before it, whose position is stored. */
    private Delivered deliver(List<Row> rows, Delivery.Lease granted) {
        var time = new BatchTime(halt);
        int events = 0;
        for (Row row : rows) {
            if (!time.mayContinue() || granted.isOver()) {
                break;
            }
            try {
                if (!delivery.deliver(source.decode(row), granted)) {
                    return new Delivered(events, false, null);
                }
            } catch (Throwable e) {
                return new Delivered(events, true, new EventFailure(0, events, row, e));
            } finally {
                Thread.interrupted(); // an interrupt by the program must not affect the store
            }
            events++;
        }
        return new Delivered(events, true, null);
    }
}
