package io.fibry.bench.durable;

import com.zaxxer.hikari.HikariDataSource;
import io.fibry.bench.durable.Account.Deposited;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.japi.function.Function;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.persistence.jdbc.query.javadsl.JdbcReadJournal;
import org.apache.pekko.persistence.query.Offset;
import org.apache.pekko.projection.ProjectionBehavior;
import org.apache.pekko.projection.ProjectionId;
import org.apache.pekko.projection.eventsourced.EventEnvelope;
import org.apache.pekko.projection.eventsourced.javadsl.EventSourcedProvider;
import org.apache.pekko.projection.javadsl.SourceProvider;
import org.apache.pekko.projection.jdbc.JdbcSession;
import org.apache.pekko.projection.jdbc.javadsl.JdbcHandler;
import org.apache.pekko.projection.jdbc.javadsl.JdbcProjection;

/** Runs a projection with pekko-projection-jdbc: groups of events by tag, exactly once. */
final class PekkoProjection {

    private static final Duration TIMEOUT = Duration.ofSeconds(Accounts.PATIENCE);

    private PekkoProjection() {}

    /** A transaction. */
    private record Session(Connection connection) implements JdbcSession {

        @Override
        public <R> R withConnection(Function<Connection, R> work) throws Exception {
            return work.apply(connection);
        }

        @Override
        public void commit() throws SQLException {
            connection.commit();
        }

        @Override
        public void rollback() throws SQLException {
            connection.rollback();
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }

    private static final class Handler extends JdbcHandler<List<EventEnvelope<Deposited>>, Session> {

        private final Projection projection;

        Handler(Projection projection) {
            this.projection = projection;
        }

        @Override
        public void process(Session session, List<EventEnvelope<Deposited>> envelopes) throws SQLException {
            projection.handle(
                    session.connection(),
                    envelopes.stream()
                            .map(envelope -> envelope.persistenceId()
                                    .substring(envelope.persistenceId().indexOf('|') + 1))
                            .toList());
        }
    }

    static Projection.Running start(ActorSystem<?> system, Database.Postgres server, Projection projection) {
        HikariDataSource pool = server.pool(false);
        Supplier<Session> sessions = () -> {
            try {
                return new Session(pool.getConnection());
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        };
        var unused = JdbcProjection.createTablesIfNotExists(sessions, system)
                .toCompletableFuture()
                .join();
        SourceProvider<Offset, EventEnvelope<Deposited>> events =
                EventSourcedProvider.eventsByTag(system, JdbcReadJournal.Identifier(), PekkoAccount.TAG);
        var behavior = ProjectionBehavior.create(JdbcProjection.groupedWithin(
                        ProjectionId.of("balances", "all"), events, sessions, () -> new Handler(projection), system)
                .withGroup(Projection.GROUP, Duration.ofMillis(100)));
        ActorRef<ProjectionBehavior.Command> running = system.systemActorOf(behavior, "balances", Props.empty());
        return () -> {
            stop(running);
            pool.close();
        };
    }

    private static void stop(ActorRef<ProjectionBehavior.Command> running) {
        var unused = Patterns.gracefulStop(Adapter.toClassic(running), TIMEOUT, ProjectionBehavior.stopMessage())
                .toCompletableFuture()
                .join();
    }
}
