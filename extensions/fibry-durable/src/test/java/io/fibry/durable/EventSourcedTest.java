package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.codec.RecordCodec;
import io.fibry.durable.DurableStore.StoredEvent;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventSourcedTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    record Balance(long amount) {}

    sealed interface Command {
        /** Deposits an amount, in several events. */
        record Deposit(long amount, int events) implements Command {}

        record Get() implements Command {}

        record Fail() implements Command {}
    }

    sealed interface Event {
        record Deposited(long amount) implements Event {}
    }

    static final class Account implements EventSourced<Balance, Command, Event, Long> {

        @Override
        public Balance initial() {
            return new Balance(0);
        }

        @Override
        public Decision<Event, Long> decide(Balance balance, Command command) throws IOException {
            return switch (command) {
                case Command.Deposit deposit -> {
                    List<Event> events = new ArrayList<>();
                    for (int i = 0; i < deposit.events; i++) {
                        events.add(new Event.Deposited(deposit.amount));
                    }
                    yield new Decision<>(events, balance.amount + deposit.amount * deposit.events);
                }
                case Command.Get get -> Decision.none(balance.amount);
                case Command.Fail fail -> throw new IOException("refused");
            };
        }

        @Override
        public Balance apply(Balance balance, Event event) {
            return switch (event) {
                case Event.Deposited deposited -> {
                    if (deposited.amount < 0) {
                        throw new IllegalArgumentException("negative");
                    }
                    yield new Balance(balance.amount + deposited.amount);
                }
            };
        }
    }

    static final DurableType<Command, Long> ACCOUNT =
            DurableType.of("account", RecordCodec.of(Command.class), RecordCodec.of(Long.class));
    private static final RecordCodec<Event> EVENTS = RecordCodec.of(Event.class).limit(100);
    private static final RecordCodec<Balance> STATES = RecordCodec.of(Balance.class);

    private final MemoryStore store = new MemoryStore();
    private final EventLog<Balance, Command, Event, Long> plain =
            EventLog.of(store, ACCOUNT, EVENTS, key -> new Account());
    private EventLog<Balance, Command, Event, Long> log = plain;
    private DurableEntities<Command, Long> accounts = start();

    private DurableEntities<Command, Long> start() {
        return DurableEntities.start(log);
    }

    private void restart() {
        accounts.close();
        accounts = start();
    }

    private void useSnapshots(int every) {
        log = plain.snapshots(every, STATES);
        restart();
    }

    @AfterEach
    void close() {
        accounts.close();
    }

    private long deposit(long amount) throws Exception {
        return ask(new Command.Deposit(amount, 1));
    }

    private long balance() throws Exception {
        return ask(new Command.Get());
    }

    private long ask(Command command) throws Exception {
        return accounts.ref("alice").ask(command, TIMEOUT).get();
    }

    private Throwable failure(Command command) {
        CompletableFuture<Long> reply = accounts.ref("alice").ask(command, TIMEOUT);
        return assertThrows(ExecutionException.class, reply::get).getCause();
    }

    /** Returns the message of the failure with which the entity does not start. */
    private String failureOfStart() {
        restart();
        return assertInstanceOf(IllegalStateException.class, failure(new Command.Get()))
                .getMessage();
    }

    private List<Long> history() {
        try (var history = log.history("alice")) {
            return history.map(recorded -> ((Event.Deposited) recorded.event()).amount())
                    .toList();
        }
    }

    @Test
    void theStateIsTheResultOfTheEvents() throws Exception {
        assertEquals(5, deposit(5));
        assertEquals(12, deposit(7));
        assertEquals(12, balance());
        restart();
        assertEquals(12, balance());
        assertEquals(13, deposit(1));
        assertEquals(List.of(5L, 7L, 1L), history());
        assertEquals(3, store.states.get("account/alice").version());
    }

    @Test
    void severalEventsAreOneChange() throws Exception {
        assertEquals(6, ask(new Command.Deposit(2, 3)));
        assertEquals(1, store.saves.get());
        assertEquals(3, store.states.get("account/alice").version());
        assertEquals(List.of(2L, 2L, 2L), history());
        assertEquals(6, ask(new Command.Deposit(2, 0)));
        assertEquals(1, store.saves.get());
    }

    @Test
    void theReplyComesAfterTheStore() throws Exception {
        var saving = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        store.beforeSave = () -> {
            saving.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        CompletableFuture<Long> reply = accounts.ref("alice").ask(new Command.Deposit(3, 1), TIMEOUT);
        saving.await();
        assertFalse(reply.isDone());
        go.countDown();
        assertEquals(3, reply.get());
    }

    @Test
    void failuresOfTheBehaviorChangeNothing() throws Exception {
        deposit(5);
        assertInstanceOf(IOException.class, failure(new Command.Fail()));
        assertInstanceOf(IllegalArgumentException.class, failure(new Command.Deposit(-1, 1)));
        assertEquals(1, store.saves.get());
        assertEquals(5, balance());
    }

    @Test
    void afterAnUnknownOutcomeTheStateIsRestored() throws Exception {
        deposit(5);
        store.failAfterSave = true;
        failure(new Command.Deposit(3, 1));
        store.failAfterSave = false;
        assertEquals(8, balance());
        store.failBeforeSave = true;
        failure(new Command.Deposit(3, 1));
        store.failBeforeSave = false;
        assertEquals(8, balance());
    }

    @Test
    void anotherOwnerIsNotOverwritten() throws Exception {
        deposit(5);
        store.write(new Write(
                "account", "alice", 1, 1, List.of(EVENTS.encode(new Event.Deposited(100))), null, Outgoing.NONE));
        assertInstanceOf(StaleStateException.class, failure(new Command.Deposit(3, 1)));
        assertEquals(105, balance());
        assertEquals(List.of(5L, 100L), history());
    }

    @Test
    void snapshotsAreStoredWithEveryNthEvent() throws Exception {
        useSnapshots(10);
        for (int i = 1; i <= 9; i++) {
            deposit(1);
        }
        assertEquals(0, store.states.get("account/alice").stateVersion());
        deposit(1);
        assertEquals(10, store.states.get("account/alice").stateVersion());
        ask(new Command.Deposit(1, 25));
        assertEquals(35, store.states.get("account/alice").stateVersion());
        deposit(1);
        assertEquals(35, store.states.get("account/alice").stateVersion());
        restart();
        int before = store.eventReads.get();
        assertEquals(36, balance());
        assertEquals(1, store.eventReads.get() - before);
    }

    /** Only events after the snapshot are read: a changed event before it does not matter. */
    @Test
    void eventsBeforeTheSnapshotAreNotRead() throws Exception {
        useSnapshots(2);
        deposit(1);
        deposit(1);
        deposit(1);
        replace(0, 1000);
        restart();
        assertEquals(3, balance());
    }

    private void replace(int index, long amount) {
        List<StoredEvent> events = new ArrayList<>(store.events.get("account/alice"));
        events.set(index, new StoredEvent(index + 1, Instant.EPOCH, EVENTS.encode(new Event.Deposited(amount))));
        store.events.put("account/alice", events);
    }

    @Test
    void deletedHistoryBeforeASnapshot() throws Exception {
        assertEquals(0, log.deleteHistory("bob"));
        useSnapshots(2);
        for (int i = 1; i <= 5; i++) {
            deposit(i);
        }
        assertEquals(4, log.deleteHistory("alice"));
        assertEquals(List.of(5L), history());
        restart();
        assertEquals(15, balance());
        assertEquals(0, log.deleteHistory("alice"));
    }

    /** The type of the state has changed. */
    @Test
    void anUnreadableSnapshotIsReplacedByTheEvents() throws Exception {
        useSnapshots(2);
        for (int i = 1; i <= 5; i++) {
            deposit(i);
        }
        record Sum(long sum) {}
        byte[] other = RecordCodec.of(Sum.class).encode(new Sum(1));
        store.states.put("account/alice", new DurableStore.Stored(5, 5, other, 4));
        restart();
        assertEquals(15, balance());
        store.deleteEvents("account", "alice");
        assertEquals("event 1 of account/alice is missing", failureOfStart());
    }

    /** A state that is larger than the limit of the codec. */
    @Test
    void aSnapshotThatCannotBeEncodedIsNotStored() throws Exception {
        log = plain.snapshots(1, STATES.limit(1));
        restart();
        assertEquals(5, deposit(5));
        restart();
        assertEquals(5, balance());
    }

    @Test
    void aMissingEventPreventsTheStart() throws Exception {
        deposit(1);
        deposit(2);
        deposit(3);
        List<StoredEvent> events = store.events.get("account/alice");
        store.events.put("account/alice", List.of(events.get(0), events.get(2)));
        assertEquals("event 2 of account/alice is missing", failureOfStart());
        store.events.put("account/alice", List.of(events.get(1), events.get(2)));
        assertEquals("event 1 of account/alice is missing", failureOfStart());
        store.events.put("account/alice", List.of(events.get(0), events.get(1)));
        assertEquals("event 3 of account/alice is missing", failureOfStart());
        store.events.put("account/alice", events);
        restart();
        assertEquals(6, balance());
    }

    @Test
    void anUnreadableEventPreventsTheStart() throws Exception {
        deposit(1);
        deposit(2);
        List<StoredEvent> events = store.events.get("account/alice");
        store.events.put("account/alice", List.of(events.get(0), new StoredEvent(2, Instant.EPOCH, new byte[] {1})));
        String message = failureOfStart();
        assertTrue(message.startsWith("event 2 of account/alice cannot be decoded: "), message);
        replace(1, -1);
        message = failureOfStart();
        assertEquals(
                "event 2 of account/alice cannot be applied: java.lang.IllegalArgumentException: negative", message);
        assertEquals(2, store.saves.get());
    }

    @Test
    void longHistoriesAreReadInPages() throws Exception {
        long sum = 0;
        for (int i = 0; i < 5; i++) {
            sum = ask(new Command.Deposit(i, 500));
        }
        restart();
        assertEquals(sum, balance());
        assertEquals(2500, history().size());
        try (var history = log.history("alice")) {
            assertEquals(
                    LongStream.rangeClosed(1, 2500).boxed().toList(),
                    history.map(Recorded::version).toList());
        }
        store.eventReads.set(0);
        try (var history = log.history("alice")) {
            assertEquals(1, history.findFirst().orElseThrow().version());
        }
        assertEquals(1, store.eventReads.get());
    }

    @Test
    void anEntityOfTheOtherKindIsRefused() throws Exception {
        deposit(1);
        Durable<Balance, Command, Long> behavior = new Durable<>() {
            @Override
            public Balance initial() {
                return new Balance(0);
            }

            @Override
            public Change<Balance, Long> handle(Balance balance, Command command) {
                return Change.to(balance, balance.amount);
            }
        };
        try (var entities = DurableEntities.start(StateTable.of(store, ACCOUNT, STATES, key -> behavior))) {
            Throwable failure = assertThrows(
                            ExecutionException.class,
                            () -> entities.ref("alice")
                                    .ask(new Command.Get(), TIMEOUT)
                                    .get())
                    .getCause();
            assertEquals(
                    "account/alice has events: it is an entity of EventSourced, not of Durable", failure.getMessage());
        }
    }

    @Test
    void badArguments() {
        assertThrows(IllegalArgumentException.class, () -> log.snapshots(0, STATES));
        assertThrows(
                IllegalArgumentException.class,
                () -> new Write("t", "a", -1, 0, List.of(new byte[1]), null, Outgoing.NONE));
        assertThrows(IllegalArgumentException.class, () -> new Write("t", "a", 0, 0, List.of(), null, Outgoing.NONE));
    }
}
