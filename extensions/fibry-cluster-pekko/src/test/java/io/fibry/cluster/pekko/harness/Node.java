package io.fibry.cluster.pekko.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fibry.Overflow;
import io.fibry.cluster.ClusterJoinException;
import io.fibry.cluster.ClusterSystem;
import io.fibry.codec.Codec;
import io.fibry.durable.DurableEntities;
import io.fibry.durable.DurableType;
import io.fibry.durable.JdbcStore;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityBehavior;
import io.fibry.entity.EntityOptions;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node in its own JVM. It reads {@link Commands} from its standard input, and answers each with a line that starts
 * with {@code ok} or {@code error}. It exits when the input ends, so that no node outlives its parent. It logs to the
 * error stream.
 */
public final class Node {

    private static final Logger LOG = LoggerFactory.getLogger(Node.class);

    /** The capacity of the mailboxes of {@link #narrow}. */
    static final int NARROW = 4;

    final String name;
    final ClusterSystem system;
    final Journal journal;

    /** The entities that count messages. */
    final Entities<String, Message, Reply> counters;

    /** How many of ten messages of a load are asks. */
    final int asksOfTen;

    /** The same, with small mailboxes. */
    final Entities<String, Message, Reply> narrow;

    /** Entities of a type that version 2 of the program adds; null in version 1. */
    final @Nullable Entities<String, Message, Reply> added;

    /** The accounts; hosted by other nodes if this one has no store. */
    final DurableEntities<Bank.Command, Long> bank;

    /** Whether the singleton runs on this node. Not cleared if the node is removed. */
    volatile boolean hasSingleton;

    private Node(NodeOptions options) throws Exception {
        name = options.name();
        journal = new Journal(name, options.journal());
        system = ClusterSystem.join(options.config());
        asksOfTen = options.asksOfTen();
        Codec<Message> messages = Codecs.messages(options.version());
        Codec<Reply> replies = Codecs.replies(options.version());
        JdbcStore store = options.store();
        bank = store == null ? system.client(Bank.TYPE) : system.entities(Bank.log(store));
        counters = counters(store, DurableType.of("counter", messages, replies));
        narrow = system.entities(
                "narrow",
                messages,
                replies,
                key -> new Counter(name, key, journal),
                EntityOptions.defaults().bounded(NARROW, Overflow.FAIL));
        added = options.version() == 1
                ? null
                : system.entities("added", messages, replies, key -> new Counter(name, key, journal));
        system.singleton("singleton", messages, replies, self -> singleton());
        CompletableFuture<?> unused = system.removed().thenRun(journal::removed);
    }

    private Entities<String, Message, Reply> counters(@Nullable JdbcStore store, DurableType<Message, Reply> type) {
        return store == null
                ? system.entities(type.name(), type.messages(), type.replies(), key -> new Counter(name, key, journal))
                : system.entities(DurableCounter.table(name, journal, store, type));
    }

    /** Returns a behavior that receives no messages. The journal records its lifetime. */
    private EntityBehavior<Message, Reply> singleton() {
        var counter = new Counter(name, "singleton", journal);
        hasSingleton = true;
        return new EntityBehavior<>() {
            @Override
            public Reply handle(Message message) throws InterruptedException {
                return counter.handle(message);
            }

            @Override
            public void onEnd() {
                hasSingleton = false;
                counter.onEnd();
            }
        };
    }

    public static void main(String[] arguments) throws Exception {
        var answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
        System.setOut(System.err); // reserves standard output for answers
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        Thread.ofPlatform().daemon().name("parent").start(() -> read(lines));
        Commands commands;
        try {
            commands = new Commands(new Node(NodeOptions.parse(arguments)));
        } catch (ClusterJoinException | IllegalArgumentException e) {
            LOG.error("the node has not joined", e);
            answers.println("error " + e);
            Runtime.getRuntime().halt(2);
            return;
        }
        answers.println("ok " + System.nanoTime());
        while (true) {
            answers.println(commands.answer(lines.take()));
        }
    }

    /** Starts a thread that reads the input, and therefore detects its end regardless of the activity of the node. */
    private static void read(BlockingQueue<String> lines) {
        try (var in = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            LOG.error("the input from the parent cannot be read", e);
        } finally {
            Runtime.getRuntime().halt(1);
        }
    }
}
