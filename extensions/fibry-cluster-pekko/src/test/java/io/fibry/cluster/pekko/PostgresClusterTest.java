package io.fibry.cluster.pekko;

import io.fibry.durable.PostgresServer;
import org.junit.jupiter.api.Test;

/** Nodes that store their state in PostgreSQL. */
class PostgresClusterTest extends DurableCluster {

    @Test
    @Guarantee(event = "planned move", of = "entity and state")
    @Guarantee(event = "kill -9, power failure", of = "entity and state")
    @Guarantee(event = "a frozen process resumes after the takeover", of = "entity and state")
    void confirmedCountsSurvive() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            survives("jdbc", server.url() + "?user=" + server.user() + "&password=" + server.password(), true);
        }
    }
}
