package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.codec.Codec;
import io.fibry.codec.RecordCodec;
import io.fibry.durable.DurableStore.Stored;
import io.fibry.durable.DurableStore.StoredEvent;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Reads events and a state that former versions of a program have stored. Their bytes are a resource: a change of the
 * format that is not compatible with them is noticed.
 */
class FormerEventsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Properties STORED = new Properties();

    /** The present event. The currency is null if it was stored before it was added. */
    record Deposited(long amount, String currency) {}

    /** The former event. */
    record Paid(long euros) {}

    record Balance(long amount) {}

    private static final DurableType<Long, Long> ACCOUNT =
            DurableType.of("account", RecordCodec.of(Long.class), RecordCodec.of(Long.class));

    private static final RecordCodec<Deposited> EVENTS = RecordCodec.of(Deposited.class);

    private final MemoryStore store = new MemoryStore();

    @BeforeAll
    static void load() throws IOException {
        try (var in = FormerEventsTest.class.getResourceAsStream("former-events.properties")) {
            STORED.load(in);
        }
    }

    private static byte[] bytes(String name) {
        return HexFormat.of().parseHex(STORED.getProperty(name));
    }

    private EventLog<Balance, Long, Deposited, Long> log(Codec<Deposited> events) {
        return EventLog.of(store, ACCOUNT, events, key -> new EventSourced<>() {
            @Override
            public Balance initial() {
                return new Balance(0);
            }

            @Override
            public Decision<Deposited, Long> decide(Balance balance, Long amount) {
                return Decision.none(balance.amount);
            }

            @Override
            public Balance apply(Balance balance, Deposited deposited) {
                return new Balance(balance.amount + deposited.amount);
            }
        });
    }

    private static RecordCodec<Deposited> upcast(Function<Paid, Deposited> upcast) {
        return EVENTS.upcast(Paid.class, upcast);
    }

    private void store(String... names) {
        List<StoredEvent> events = new ArrayList<>();
        for (String name : names) {
            events.add(new StoredEvent(events.size() + 1, Instant.EPOCH, bytes(name)));
        }
        store.events.put("account/alice", events);
        store.states.put("account/alice", new Stored(events.size(), events.size(), null, 0));
    }

    private static long balance(EventLog<Balance, Long, Deposited, Long> log) throws Exception {
        try (var accounts = DurableEntities.start(log)) {
            return accounts.ref("alice").ask(0L, TIMEOUT).get();
        }
    }

    private static String failure(EventLog<Balance, Long, Deposited, Long> log) {
        var e = assertThrows(ExecutionException.class, () -> balance(log));
        return assertInstanceOf(IllegalStateException.class, e.getCause()).getMessage();
    }

    @Test
    void thePresentFormIsTheStoredOne() {
        assertEquals(STORED.getProperty("deposited"), HexFormat.of().formatHex(EVENTS.encode(new Deposited(5, "EUR"))));
    }

    @Test
    void addedAndRemovedComponents() {
        assertEquals(new Deposited(5, "EUR"), EVENTS.decode(bytes("deposited")));
        assertEquals(new Deposited(7, null), EVENTS.decode(bytes("deposited-without-currency")));
        assertEquals(new Deposited(11, "CHF"), EVENTS.decode(bytes("deposited-with-teller")));
        assertEquals(new Deposited(13, "EUR"), EVENTS.decode(bytes("deposited-with-length")));
    }

    @Test
    void anEntityStartsWithEventsOfAllVersions() throws Exception {
        store("deposited", "deposited-without-currency", "deposited-with-teller", "paid", "deposited-with-length");
        var log = log(upcast(paid -> new Deposited(paid.euros, "EUR")));
        assertEquals(39, balance(log));
        try (var history = log.history("alice")) {
            assertEquals(
                    List.of(5L, 7L, 11L, 3L, 13L),
                    history.map(recorded -> recorded.event().amount()).toList());
        }
    }

    @Test
    void anEntityStartsWithAFormerState() throws Exception {
        store("deposited", "deposited-without-currency", "deposited-with-teller", "paid");
        store.states.put("account/alice", new Stored(4, 4, bytes("balance"), 3));
        var log = log(upcast(paid -> new Deposited(paid.euros, "EUR")));
        assertEquals(26, balance(log.snapshots(3, RecordCodec.of(Balance.class))));
    }

    @Test
    void anUpcastThatIsMissingOrFails() {
        store("deposited", "paid");
        String missing = failure(log(EVENTS));
        assertTrue(
                missing.startsWith("event 2 of account/alice cannot be decoded: \"Paid\" is not a message"), missing);
        String refused = failure(log(upcast(paid -> {
            throw new IllegalArgumentException("no currency");
        })));
        assertTrue(refused.startsWith("event 2 of account/alice cannot be decoded: "), refused);
        assertTrue(refused.endsWith("no currency"), refused);
        assertEquals(
                "event 2 of account/alice cannot be decoded: the upcast of Paid has returned null",
                failure(log(upcast(paid -> null))));
    }
}
