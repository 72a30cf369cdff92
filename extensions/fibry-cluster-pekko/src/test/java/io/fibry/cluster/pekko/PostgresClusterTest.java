package io.fibry.cluster.pekko;

import io.fibry.cluster.state.PostgresServer;
import org.junit.jupiter.api.Test;

/** Nodes that store their state in PostgreSQL. */
class PostgresClusterTest extends DurableCluster {

    @Test
    void confirmedCountsSurviveAKill() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            killed("jdbc", server.url() + "?user=" + server.user() + "&password=" + server.password());
        }
    }
}
