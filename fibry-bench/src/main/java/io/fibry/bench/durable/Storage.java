package io.fibry.bench.durable;

/**
 * The way in which accounts are stored.
 *
 * @param database an empty database
 * @param snapshots the state is stored with every event whose version is a multiple of this number; 0 for never
 * @param isProjected whether a projection will read the events
 */
record Storage(Database database, int snapshots, boolean isProjected) {

    /** Stores events only. */
    static Storage of(Database database) {
        return new Storage(database, 0, false);
    }

    /** Returns whether a state is due between two versions. */
    boolean isSnapshotDue(long before, long after) {
        return snapshots > 0 && before / snapshots != after / snapshots;
    }

    /** Returns the server. The other peers do not support H2. */
    Database.Postgres server() {
        return switch (database) {
            case Database.Postgres server -> server;
            case Database.H2 file -> throw new UnsupportedOperationException("only with PostgreSQL, not in " + file);
        };
    }
}
