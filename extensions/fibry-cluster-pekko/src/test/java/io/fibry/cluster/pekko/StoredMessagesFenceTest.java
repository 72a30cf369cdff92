package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.codec.RecordCodec;
import io.fibry.durable.Change;
import io.fibry.durable.Durable;
import io.fibry.durable.DurableEntities;
import io.fibry.durable.DurableType;
import io.fibry.durable.JdbcStore;
import io.fibry.durable.StateTable;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The fence of a node closes while an entity handles its stored messages. */
@Timeout(120)
class StoredMessagesFenceTest {

    private static final DurableType<String, @Nullable Void> WORDS =
            DurableType.of("words", RecordCodec.of(String.class));

    @AutoClose
    private final Nodes nodes = new Nodes();

    private final List<String> handled = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    @Test
    void aRemovedNodeBeginsNoFurtherStoredMessage() throws Exception {
        System.setProperty("h2.bindAddress", "127.0.0.1"); // for the stores of other tests, before H2 reads it
        var database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        JdbcStore.createSchema(database);
        String address = Nodes.freeAddress();
        PekkoCluster node = nodes.join(Nodes.options(address, address));
        try (JdbcStore store = JdbcStore.of(database);
                var connection = database.getConnection()) {
            connection.setAutoCommit(false);
            DurableEntities.send(connection, WORDS, "a", "first");
            DurableEntities.send(connection, WORDS, "a", "second");
            connection.commit();
            var table = StateTable.of(store, WORDS, RecordCodec.of(String.class), behavior(node));
            node.entities(table);
            closed.await();
            node.close(); // waits for the end of the entity
            assertEquals(List.of("first"), handled);
        }
    }

    private Durable<String, String, @Nullable Void> behavior(PekkoCluster node) {
        return new Durable<>() {
            @Override
            public String initial() {
                return "";
            }

            @Override
            public Change<String, @Nullable Void> handle(String before, String word) {
                handled.add(word);
                node.status().expel(); // without the interrupt of the entities, which follows on another thread
                closed.countDown();
                return Change.to(word);
            }
        };
    }
}
