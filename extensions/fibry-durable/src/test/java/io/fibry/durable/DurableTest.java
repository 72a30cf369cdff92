package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.codec.CodecException;
import io.fibry.codec.RecordCodec;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DurableTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    record Account(long balance, String note) {}

    sealed interface Command {
        record Add(long amount) implements Command {}

        record Get() implements Command {}

        record Fail() implements Command {}

        record Note(int length) implements Command {}
    }

    static final class Accounts implements Durable<Account, Command, Long> {
        @Override
        public Account initial() {
            return new Account(0, "");
        }

        @Override
        public Change<Account, Long> handle(Account account, Command command) throws IOException {
            return switch (command) {
                case Command.Add add -> {
                    long balance = account.balance + add.amount;
                    yield Change.to(new Account(balance, account.note), balance);
                }
                case Command.Get get -> Change.none(account.balance);
                case Command.Fail fail -> throw new IOException("refused");
                case Command.Note note ->
                    Change.to(new Account(account.balance, "x".repeat(note.length)), account.balance);
            };
        }
    }

    private static final DurableType<Command, Long> ACCOUNT =
            DurableType.of("account", RecordCodec.of(Command.class), RecordCodec.of(Long.class));
    private static final RecordCodec<Account> CODEC =
            RecordCodec.of(Account.class).limit(1000);

    private final MemoryStore store = new MemoryStore();
    private DurableEntities<Command, Long> accounts = start();

    private DurableEntities<Command, Long> start() {
        return DurableEntities.start(StateTable.of(store, ACCOUNT, CODEC, key -> new Accounts()));
    }

    @AfterEach
    void close() {
        accounts.close();
    }

    private long ask(String key, Command command) throws Exception {
        return accounts.ref(key).ask(command, TIMEOUT).get();
    }

    private Throwable failure(String key, Command command) {
        CompletableFuture<Long> reply = accounts.ref(key).ask(command, TIMEOUT);
        return assertThrows(ExecutionException.class, reply::get).getCause();
    }

    private long version(String key) {
        DurableStore.Stored stored = store.states.get("account/" + key);
        return stored == null ? 0 : stored.revision();
    }

    @Test
    void theStateSurvives() throws Exception {
        assertEquals(5, ask("alice", new Command.Add(5)));
        assertEquals(12, ask("alice", new Command.Add(7)));
        assertEquals(1, ask("bob", new Command.Add(1)));
        assertEquals(2, version("alice"));
        assertEquals(
                new Account(12, ""),
                CODEC.decode(store.states.get("account/alice").state()));
        accounts.close();
        accounts = start();
        assertEquals(12, ask("alice", new Command.Get()));
        assertEquals(13, ask("alice", new Command.Add(1)));
        assertEquals(3, version("alice"));
    }

    @Test
    void itIsLoadedOnce() throws Exception {
        for (int i = 0; i < 10; i++) {
            ask("alice", new Command.Add(1));
        }
        assertEquals(1, store.loads.get());
    }

    @Test
    void withoutAChangeNothingIsStored() throws Exception {
        assertEquals(0, ask("alice", new Command.Get()));
        assertEquals(0, store.saves.get());
        assertNull(store.states.get("account/alice"));
        ask("alice", new Command.Add(0)); // equal, but a change
        assertEquals(1, version("alice"));
        ask("alice", new Command.Get());
        assertEquals(1, store.saves.get());
    }

    @Test
    void theReplyComesAfterTheStore() throws Exception {
        var saving = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        store.beforeSave = () -> {
            saving.countDown();
            await(go);
        };
        CompletableFuture<Long> reply = accounts.ref("alice").ask(new Command.Add(3), TIMEOUT);
        saving.await();
        assertFalse(reply.isDone());
        go.countDown();
        assertEquals(3, reply.get());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aHandlerThatFailsChangesNothing() throws Exception {
        ask("alice", new Command.Add(5));
        assertEquals("refused", failure("alice", new Command.Fail()).getMessage());
        assertEquals(5, ask("alice", new Command.Get()));
        assertEquals(1, version("alice"));
        assertEquals(1, store.loads.get(), "what was stored is known");
    }

    @Test
    void aStateThatCannotBeEncodedChangesNothing() throws Exception {
        ask("alice", new Command.Add(5));
        assertInstanceOf(CodecException.class, failure("alice", new Command.Note(2000)));
        assertEquals(5, ask("alice", new Command.Get()));
        assertEquals(1, version("alice"));
        assertEquals(1, store.loads.get(), "what was stored is known");
    }

    @Test
    void anotherOwner() throws Exception {
        ask("alice", new Command.Add(5));
        store.write(new Write(
                "account", "alice", 1, 0, List.of(), CODEC.encode(new Account(100, "by another")), Outgoing.NONE));
        assertInstanceOf(StaleStateException.class, failure("alice", new Command.Add(1)));
        assertEquals(100, ask("alice", new Command.Get()));
        assertEquals(101, ask("alice", new Command.Add(1)));
        assertEquals(3, version("alice"));
    }

    @Test
    void aSaveWithoutAnAnswerThatWasDone() throws Exception {
        ask("alice", new Command.Add(5));
        store.failAfterSave = true;
        assertEquals("lost after", failure("alice", new Command.Add(1)).getMessage());
        store.failAfterSave = false;
        assertEquals(6, ask("alice", new Command.Get()));
        assertEquals(7, ask("alice", new Command.Add(1)));
    }

    @Test
    void aSaveWithoutAnAnswerThatWasNotDone() throws Exception {
        store.failBeforeSave = true;
        assertEquals("lost before", failure("alice", new Command.Add(1)).getMessage());
        store.failBeforeSave = false;
        assertEquals(0, ask("alice", new Command.Get()));
        assertEquals(7, ask("alice", new Command.Add(7)));
        assertEquals(1, version("alice"));
    }

    @Test
    void aStoreThatCannotBeRead() throws Exception {
        store.failLoad = true;
        assertEquals("cannot load", failure("alice", new Command.Add(1)).getMessage());
        store.failLoad = false;
        assertEquals(1, ask("alice", new Command.Add(1)));
        // The same after the state is loaded again.
        store.failAfterSave = true;
        failure("alice", new Command.Add(1));
        store.failAfterSave = false;
        store.failLoad = true;
        assertEquals("cannot load", failure("alice", new Command.Get()).getMessage());
        store.failLoad = false;
        assertEquals(2, ask("alice", new Command.Get()));
    }

    @Test
    void aStoredStateThatCannotBeDecoded() throws Exception {
        store.write(new Write("account", "alice", 0, 0, List.of(), new byte[] {1}, Outgoing.NONE));
        assertInstanceOf(CodecException.class, failure("alice", new Command.Add(1)));
        assertEquals(1, version("alice"));
    }

    /** No message is handled on an unknown state, regardless of the cause that ended the save. */
    @Test
    void anErrorWhileItIsStored() throws Exception {
        ask("alice", new Command.Add(5));
        store.beforeSave = () -> {
            throw new AssertionError("broken");
        };
        assertEquals("broken", failure("alice", new Command.Add(1)).getMessage());
        store.beforeSave = () -> {};
        assertEquals(5, ask("alice", new Command.Get()));
        assertEquals(2, store.loads.get());
    }

    @Test
    void nullIsNoChange() throws Exception {
        Durable<Account, Command, Long> broken = new Durable<>() {
            @Override
            public Account initial() {
                return new Account(0, "");
            }

            @Override
            public Change<Account, Long> handle(Account state, Command message) {
                return null;
            }
        };
        try (var entities = DurableEntities.start(StateTable.of(store, ACCOUNT, CODEC, key -> broken))) {
            CompletableFuture<Long> reply = entities.ref("a").ask(new Command.Get(), TIMEOUT);
            assertInstanceOf(
                    NullPointerException.class,
                    assertThrows(ExecutionException.class, reply::get).getCause());
        }
        assertThrows(NullPointerException.class, () -> Change.to(null, 1));
    }

    @Test
    void aBehaviorForEachKey() throws Exception {
        record Name(String text) {}
        var text = RecordCodec.of(String.class);
        var table = StateTable.of(
                store, DurableType.of("name", text, text), RecordCodec.of(Name.class), key -> new Durable<>() {
                    @Override
                    public Name initial() {
                        return new Name(key);
                    }

                    @Override
                    public Change<Name, String> handle(Name name, String more) {
                        return Change.to(new Name(name.text + more), name.text);
                    }
                });
        try (var names = DurableEntities.start(table)) {
            assertEquals("alice", names.ref("alice").ask("!", TIMEOUT).get());
            assertEquals("alice!", names.ref("alice").ask("!", TIMEOUT).get());
            assertEquals("bob", names.ref("bob").ask("!", TIMEOUT).get());
        }
    }

    @Test
    void messagesWithoutReply() throws Exception {
        var type = DurableType.of("account", RecordCodec.of(Long.class));
        var table = StateTable.of(store, type, CODEC, key -> new Durable<>() {
            @Override
            public Account initial() {
                return new Account(0, "");
            }

            @Override
            public Change<Account, Void> handle(Account state, Long amount) {
                return Change.to(new Account(state.balance + amount, ""));
            }
        });
        try (var entities = DurableEntities.start(table)) {
            entities.ref("alice").tell(5L);
            entities.ref("alice").tell(6L);
        }
        assertEquals(11, ask("alice", new Command.Get()));
    }

    /** If two nodes both assume ownership of a key, no change that an ask has confirmed is lost. */
    @Test
    void twoOwnersLoseNothing() throws Exception {
        long confirmed = 0;
        try (var other = start()) {
            for (int i = 0; i < 500; i++) {
                var owner = i % 3 == 0 ? other : accounts;
                try {
                    owner.ref("alice").ask(new Command.Add(1), TIMEOUT).get();
                    confirmed++;
                } catch (ExecutionException e) {
                    assertInstanceOf(StaleStateException.class, e.getCause());
                }
            }
        }
        accounts.close();
        accounts = start();
        assertEquals(confirmed, ask("alice", new Command.Get()));
        assertTrue(confirmed < 500);
    }

    @Test
    void aRefusedAskChangesNothing() throws Exception {
        ask("alice", new Command.Add(5));
        int saves = store.saves.get();
        var table = StateTable.of(store, ACCOUNT, CODEC, key -> new Accounts());
        var entities = DurableEntities.start(table);
        entities.close();
        CompletableFuture<Long> reply = entities.ref("alice").ask(new Command.Add(1), TIMEOUT);
        assertInstanceOf(
                ActorStoppedException.class,
                assertThrows(ExecutionException.class, reply::get).getCause());
        assertEquals(saves, store.saves.get());
        assertEquals(5, ask("alice", new Command.Get()));
    }

    @Test
    void stopWhileItStores() throws Exception {
        ask("alice", new Command.Add(5));
        var saving = new CountDownLatch(1);
        store.beforeSave = () -> {
            saving.countDown();
            await(new CountDownLatch(1));
        };
        try (var system = ActorSystem.create()) {
            var table = StateTable.of(store, ACCOUNT, CODEC, key -> new Accounts());
            var entities = DurableEntities.start(system.actor(), table, DurableOptions.defaults());
            CompletableFuture<Long> reply = entities.ref("alice").ask(new Command.Add(1), TIMEOUT);
            saving.await();
            system.close(Duration.ZERO);
            assertThrows(ExecutionException.class, reply::get);
            assertTrue(system.close(Duration.ofMinutes(1)));
        }
        store.beforeSave = () -> {};
        assertEquals(5, ask("alice", new Command.Get()));
    }
}
