package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.cluster.pekko.harness.Cluster;
import io.fibry.codec.RecordCodec;
import io.fibry.durable.Change;
import io.fibry.durable.Durable;
import io.fibry.durable.DurableEntities;
import io.fibry.durable.DurableRef;
import io.fibry.durable.DurableType;
import io.fibry.durable.JdbcStore;
import io.fibry.durable.StateTable;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stored messages, reminders and asks with a request key on several nodes, each with a store on the same database. */
@Timeout(180)
class StoredMessagesClusterTest {

    private static final Duration LONG = Duration.ofSeconds(60);

    sealed interface Message {
        record Add(int amount) implements Message {}

        /** Sends one {@link Add} to each of these keys. */
        record AddTo(int amount, List<String> keys) implements Message {}

        record AddAfter(int amount, Duration delay) implements Message {}
    }

    record Total(int total, String node) {}

    private static final DurableType<Message, Total> TOTAL =
            DurableType.of("total", RecordCodec.of(Message.class), RecordCodec.of(Total.class));

    private static final Nodes nodes = new Nodes();
    private static final JdbcDataSource database = new JdbcDataSource();
    private static final Map<PekkoCluster, DurableEntities<Message, Total>> totals = new HashMap<>();
    private static final List<JdbcStore> stores = new CopyOnWriteArrayList<>();

    /** The keys that have handled an {@link Message.Add}, and the address of the node. */
    private static final List<String> added = new CopyOnWriteArrayList<>();

    private static String seed;
    private static PekkoCluster first;

    @BeforeAll
    static void start() throws Exception {
        System.setProperty("h2.bindAddress", "127.0.0.1"); // for the stores of other tests, before H2 reads it
        database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        JdbcStore.createSchema(database);
        seed = Nodes.freeAddress();
        first = nodes.join(Nodes.options(seed, seed));
        host(first);
        host(join());
        host(join());
    }

    @AfterAll
    static void stop() {
        nodes.close();
        stores.forEach(JdbcStore::close);
    }

    private static PekkoCluster join() throws Exception {
        return nodes.join(Nodes.options(Nodes.freeAddress(), seed));
    }

    private static void host(PekkoCluster node) throws Exception {
        JdbcStore store = JdbcStore.of(database);
        stores.add(store);
        var table = StateTable.of(
                store,
                TOTAL,
                RecordCodec.of(Total.class),
                key -> new Totals(key, node.self().address()));
        totals.put(node, node.entities(table));
    }

    private record Totals(String key, String node) implements Durable<Total, Message, Total> {

        @Override
        public Total initial() {
            return new Total(0, "");
        }

        @Override
        public Change<Total, Total> handle(Total before, Message message) {
            return switch (message) {
                case Message.Add add -> {
                    added.add(key + " " + node);
                    var after = new Total(before.total + add.amount, node);
                    yield Change.to(after, after);
                }
                case Message.AddTo add -> {
                    Change<Total, Total> change = Change.none(new Total(before.total, node));
                    for (String to : add.keys) {
                        change = change.with(TOTAL.send(to, new Message.Add(add.amount)));
                    }
                    yield change;
                }
                case Message.AddAfter add ->
                    Change.<Total, Total>none(new Total(before.total, node))
                            .with(TOTAL.remind("add", add.delay, new Message.Add(add.amount)));
            };
        }
    }

    private static Total ask(String key, Message message) {
        return totals.get(first).ref(key).ask(message, LONG).join();
    }

    private static int total(String key) {
        return ask(key, new Message.AddTo(0, List.of())).total;
    }

    @Test
    void messagesReachEntitiesOnAllNodes() {
        List<String> keys = List.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j");
        ask("sender", new Message.AddTo(1, keys));
        ask("sender", new Message.AddTo(2, keys));
        keys.forEach(key -> Cluster.until("both arrive at " + key, () -> total(key) == 3));
        assertTrue(
                added.stream().map(entry -> entry.split(" ", -1)[1]).distinct().count() > 1,
                () -> "one node: " + added);
    }

    /** The entity starts on another node without a message, when its reminder is due. */
    @Test
    void aReminderSurvivesItsNode() throws Exception {
        PekkoCluster victim = join();
        host(victim);
        String address = victim.self().address();
        int i = 0;
        while (!ask("reminded" + i, new Message.AddAfter(1, Duration.ofSeconds(2)))
                .node
                .equals(address)) {
            i++;
        }
        Nodes.kill(victim);
        String key = "reminded" + i;
        Cluster.until("the reminder is handled", () -> added.stream().anyMatch(entry -> entry.startsWith(key + " ")));
        assertEquals(1, total(key));
        assertEquals(
                1, added.stream().filter(entry -> entry.startsWith(key + " ")).count());
    }

    @Test
    void aClientRepeatsAnAsk() throws Exception {
        DurableRef<Message, Total> once = join().client(TOTAL).ref("once");
        Total total = once.ask(new Message.Add(5), "request", LONG).join();
        assertEquals(5, total.total);
        assertEquals(total, once.ask(new Message.Add(5), "request", LONG).join());
        assertEquals(
                total,
                totals.get(first)
                        .ref("once")
                        .ask(new Message.Add(5), "request", LONG)
                        .join());
        assertEquals(10, once.ask(new Message.Add(5), LONG).join().total);
        assertThrows(IllegalArgumentException.class, () -> once.ask(new Message.Add(5), "x".repeat(101), LONG));
    }
}
