package io.fibry.cluster.pekko.harness;

import io.fibry.cluster.ClusterEvent;
import io.fibry.cluster.Member;
import io.fibry.cluster.pekko.harness.Sender.Outcome;
import io.fibry.entity.Entities;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commands of a {@link Node}. Words are separated by blanks, times are in milliseconds, and a type is
 * {@code counter} or {@code narrow}.
 *
 * <ul>
 *   <li>{@code members}: {@code host:port/STATE} of each
 *   <li>{@code stats}: the counts of the node
 *   <li>{@code events}: the events since the last call
 *   <li>{@code removed}: whether the node has been removed from the cluster
 *   <li>{@code singleton}: whether the singleton runs on this node
 *   <li>{@code load RATE KEYS SEED}: starts to send; {@code unload}: stops, and returns the outcomes of the messages
 *   <li>{@code tell TYPE KEY COUNT WORK}: sends messages; returns the number of accepted messages and the reasons of
 *   the refusals
 *   <li>{@code odd KEY}: sends a message that no node can decode
 *   <li>{@code ask TYPE KEY TIMEOUT WORK}: {@code NODE INSTANCE COUNT} or an exception; then microseconds, then the
 *     text of the exception
 *   <li>{@code later TYPE KEY COUNT TIMEOUT WORK}: asks, and does not wait; {@code outcomes} waits, and returns the
 *       result of {@code ask} for each message, separated by {@code |}
 *   <li>{@code asks KEYS TIMEOUT}: asks all keys at once; returns the node of each, or the exception
 *   <li>{@code answers KEYS LIMIT}: asks each key repeatedly until all have answered; returns the milliseconds of the
 *       slowest, or {@code removed} if this node has been removed meanwhile
 *   <li>{@code transfer ACCOUNTS SEED}: starts a {@link BankClient}; {@code transferred}: the number of its transfers;
 *       {@code outcome FILE}: stops it, and writes the outcomes; then {@code balances}: the balances of all accounts
 *   <li>{@code journal FILE}: continues in this file
 *   <li>{@code leave LIMIT}: whether it has left in time, and the elapsed milliseconds
 *   <li>{@code time}: the time of its monotonic clock; {@code clock}: that of its wall clock
 * </ul>
 */
final class Commands {

    private static final Logger LOG = LoggerFactory.getLogger(Commands.class);

    private final Node node;
    private final String life;
    private final Sender sender;
    private final Queue<ClusterEvent> events = new ConcurrentLinkedQueue<>();
    private final List<CompletableFuture<String>> later = new ArrayList<>();
    private int loads;

    @Nullable
    private Load load;

    @Nullable
    private BankClient bankClient;

    Commands(Node node) {
        this.node = node;
        life = node.name + "/" + ProcessHandle.current().pid();
        sender = new Sender(life, node.journal);
        node.system.onEvent(events::add);
    }

    String answer(String line) {
        try {
            return "ok " + run(line.split(" "));
        } catch (Exception e) {
            LOG.error("{} has failed", line, e);
            return "error " + e.toString().replace('\n', ' ');
        }
    }

    private String run(String[] words) throws Exception {
        return switch (words[0]) {
            case "members" -> members();
            case "stats" -> node.system.stats().toString();
            case "events" -> events();
            case "removed" -> String.valueOf(node.system.removed().isDone());
            case "singleton" -> String.valueOf(node.hasSingleton);
            case "load" -> load(number(words[1]), number(words[2]), number(words[3]));
            case "unload" -> unload();
            case "tell" -> tell(entities(words[1]), words[2], number(words[3]), number(words[4]));
            case "odd" -> text(sender.tell(node.counters, sender.message(words[1], 0, true)));
            case "ask" -> ask(entities(words[1]), words[2], millis(words[3]), number(words[4]));
            case "later" -> later(entities(words[1]), words[2], number(words[3]), millis(words[4]), number(words[5]));
            case "outcomes" -> outcomes();
            case "asks" -> asks(number(words[1]), millis(words[2]));
            case "answers" -> answers(number(words[1]), millis(words[2]));
            case "transfer" -> transfer(number(words[1]), number(words[2]));
            case "transferred" -> bankClient().transferred();
            case "outcome" -> bankClient().stop(Path.of(words[1]));
            case "balances" -> bankClient().balances();
            case "journal" -> {
                node.journal.switchTo(Path.of(words[1]));
                yield words[1];
            }
            case "leave" -> leave(millis(words[1]));
            case "clock" -> String.valueOf(System.currentTimeMillis());
            case "time" -> String.valueOf(System.nanoTime());
            default -> throw new IllegalArgumentException("not a command: " + words[0]);
        };
    }

    private static int number(String word) {
        return Integer.parseInt(word);
    }

    private static Duration millis(String word) {
        return Duration.ofMillis(Long.parseLong(word));
    }

    private Entities<String, Message, Reply> entities(String type) {
        return switch (type) {
            case "narrow" -> node.narrow;
            case "added" -> Objects.requireNonNull(node.added, "version 1 has no such type");
            default -> node.counters;
        };
    }

    private String members() {
        return node.system.members().stream()
                .map(member -> member.address() + "/" + member.state())
                .collect(Collectors.joining(" "));
    }

    private String events() {
        List<String> text = new ArrayList<>();
        for (ClusterEvent event = events.poll(); event != null; event = events.poll()) {
            text.add(
                    switch (event) {
                        case ClusterEvent.MemberChanged(Member member) -> member.address() + "/" + member.state();
                        case ClusterEvent.MemberRemoved(Member member) -> member.address() + "/removed";
                        case ClusterEvent.ShardArrived(String type, int shard) -> "+" + type + "/" + shard;
                        case ClusterEvent.ShardLeft(String type, int shard) -> "-" + type + "/" + shard;
                        case ClusterEvent.AllocationStalled(String type) -> "stalled/" + type;
                        case ClusterEvent.ThisNodeRemoved() -> "removed";
                    });
        }
        return String.join(" ", text);
    }

    private String load(int rate, int keys, int seed) {
        loads++;
        load = new Load(node.counters, new Sender(life + "/" + loads, node.journal), rate, keys, seed, node.asksOfTen);
        load.start();
        return life + "/" + loads;
    }

    private String unload() throws InterruptedException {
        String counts = load == null ? "{}" : load.stop();
        load = null;
        return counts;
    }

    private String tell(Entities<String, Message, Reply> entities, String key, int count, int work) {
        var outcomes = new TreeMap<String, Integer>();
        for (int i = 0; i < count; i++) {
            outcomes.merge(text(sender.tell(entities, sender.message(key, work, false))), 1, Integer::sum);
        }
        return outcomes.toString().replace(" ", "");
    }

    private static String text(@Nullable RuntimeException refusal) {
        return refusal == null ? "accepted" : refusal.getClass().getSimpleName();
    }

    private String ask(Entities<String, Message, Reply> entities, String key, Duration timeout, int work) {
        return asked(entities, key, timeout, work).join();
    }

    private CompletableFuture<String> asked(
            Entities<String, Message, Reply> entities, String key, Duration timeout, int work) {
        long start = System.nanoTime();
        return sender.ask(entities, sender.message(key, work, false), timeout).thenApply(outcome -> {
            String text = outcome.text() + " " + (System.nanoTime() - start) / 1000;
            return outcome.failure() == null
                    ? text
                    : text + " " + outcome.failure().getMessage();
        });
    }

    private String later(Entities<String, Message, Reply> entities, String key, int count, Duration timeout, int work) {
        for (int i = 0; i < count; i++) {
            later.add(asked(entities, key, timeout, work));
        }
        return String.valueOf(count);
    }

    private String outcomes() {
        String outcomes = later.stream().map(CompletableFuture::join).collect(Collectors.joining("|"));
        later.clear();
        return outcomes;
    }

    private String asks(int keys, Duration timeout) {
        List<CompletableFuture<Outcome>> asked = new ArrayList<>();
        for (int i = 0; i < keys; i++) {
            asked.add(sender.ask(node.counters, sender.message(Load.key(i), 0, false), timeout));
        }
        return asked.stream()
                .map(CompletableFuture::join)
                .map(outcome -> outcome.reply() == null
                        ? outcome.text()
                        : outcome.reply().node())
                .collect(Collectors.joining(" "));
    }

    /** Limits each attempt to a second: a reply that is lost with its node never arrives. */
    private String answers(int keys, Duration limit) {
        long start = System.nanoTime();
        Set<String> left = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < keys; i++) {
            left.add(Load.key(i));
        }
        while (true) {
            List<CompletableFuture<Void>> asked = new ArrayList<>();
            for (String key : List.copyOf(left)) {
                asked.add(sender.ask(node.counters, sender.message(key, 0, false), Duration.ofSeconds(1))
                        .thenAccept(outcome -> left.removeIf(k -> k.equals(key) && outcome.reply() != null)));
            }
            asked.forEach(CompletableFuture::join);
            long millis = (System.nanoTime() - start) / 1_000_000;
            if (left.isEmpty()) {
                return String.valueOf(millis);
            }
            if (millis > limit.toMillis()) {
                throw new IllegalStateException("these keys do not answer: " + left);
            }
            if (isRemovedWithin(Duration.ofMillis(20))) { // a refusal is immediate
                return "removed";
            }
        }
    }

    private boolean isRemovedWithin(Duration time) {
        CompletableFuture<?> removed = node.system.removed().copy();
        removed.completeOnTimeout(null, time.toMillis(), TimeUnit.MILLISECONDS).join();
        return node.system.removed().isDone();
    }

    private String transfer(int accounts, int seed) {
        bankClient = new BankClient(node.bank, accounts, seed);
        bankClient.start();
        return "";
    }

    private BankClient bankClient() {
        return Objects.requireNonNull(bankClient, "no transfer");
    }

    private String leave(Duration limit) {
        long start = System.nanoTime();
        boolean left = node.system.close(limit);
        return left + " " + (System.nanoTime() - start) / 1_000_000;
    }
}
