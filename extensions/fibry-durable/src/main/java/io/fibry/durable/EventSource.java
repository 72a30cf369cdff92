package io.fibry.durable;

import io.fibry.codec.Codec;
import io.fibry.durable.EventPage.Row;

/** The events that a projection reads. */
record EventSource<E>(JdbcStore store, ProjectionRows rows, Codec<E> codec) {

    Recorded<E> decode(Row row) {
        return new Recorded<>(row.key(), row.version(), row.time(), codec.decode(row.event()));
    }
}
