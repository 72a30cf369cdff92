package io.fibry.cluster.pekko.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Events of the nodes of a cluster, each under load and in its own round. Before and after each event, all nodes are
 * up. Not thread-safe.
 */
public final class Events {

    /**
     * The result of an event.
     *
     * @param event the kind of the event
     * @param text the measured times and counts, in one line
     * @param round the folder with the journals
     */
    public record Result(String event, String text, Path round, Report report) {}

    private static final Duration BEFORE = Duration.ofSeconds(1);
    private static final Duration AFTER = Duration.ofSeconds(1);

    private final Cluster cluster;
    private final int rate;
    private final int keys;
    private long seed;

    /** The version of the program of the last update. A node that is restarted later has version 1. */
    private int version = 1;

    /** The rate is the total of all nodes, in messages per second. */
    public Events(Cluster cluster, int rate, int keys, long seed) {
        this.cluster = cluster;
        this.rate = rate;
        this.keys = keys;
        this.seed = seed;
    }

    /** Lets all nodes send for a while, without a fault. */
    public Result nothing(Duration time) throws Exception {
        long start = begin();
        Thread.sleep(time);
        return end("no event", "", start, Set.of());
    }

    /**
     * Waits until the numbers of shards of the nodes differ by at most one: Pekko then moves no shard. Only shards with
     * a message since their last move are counted. No entity of another type may have started.
     */
    public void awaitBalanced() {
        Cluster.until("shards are spread evenly", () -> {
            takeOver(System.nanoTime(), cluster.names().get(0));
            LongSummaryStatistics shards = cluster.names().stream()
                    .mapToLong(name -> cluster.count(name, "shards"))
                    .summaryStatistics();
            return shards.getMax() - shards.getMin() <= 1;
        });
    }

    /** Kills a node, like {@code kill -9}. The others take over; then the node is restarted. */
    public Result kill(String victim) throws Exception {
        long start = begin();
        cluster.kill(victim);
        String[] others = othersThan(victim);
        long takenOver = takeOver(start, others);
        cluster.awaitRemoved(victim, others);
        cluster.faultEnds(victim);
        Result result =
                end("kill -9", " of " + victim + ": all answer after " + takenOver + " ms", start, Set.of(victim));
        cluster.start(victim);
        cluster.awaitUp();
        return result;
    }

    /**
     * Freezes a node, like {@code kill -STOP} and {@code -CONT}. Nodes that have been removed meanwhile are restarted.
     */
    public Result freeze(String victim, Duration time) throws Exception {
        begin();
        backlog(victim);
        long start = System.nanoTime();
        cluster.freeze(victim);
        CompletableFuture<Long> takeOver = CompletableFuture.supplyAsync(() -> takeOver(start, othersThan(victim)));
        Thread.sleep(time);
        cluster.wake(victim);
        long takenOver = takeOver.join();
        return endOfFault(
                "freeze",
                " of " + victim + " for " + time.toMillis() + " ms: all answer after " + takenOver + " ms",
                start,
                Set.of(victim));
    }

    /** Separates these nodes from the others for this time, or longer if the others have not taken over by then. */
    public Result separate(Proxy.State state, Duration time, String... side) throws Exception {
        return partition("partition (" + state + ")", () -> cluster.separate(state, side), time, side);
    }

    /** Holds the bytes that this node sends for this time, or longer if the others have not taken over by then. */
    public Result mute(String victim, Duration time) throws Exception {
        return partition("one-way partition", () -> cluster.mute(victim), time, victim);
    }

    private Result partition(String what, Runnable cut, Duration time, String... side) throws Exception {
        begin();
        backlog(side[0]);
        long start = System.nanoTime();
        cut.run();
        long refused = refusal(side[0], start);
        long takenOver = takeOver(start, othersThan(side));
        Thread.sleep(Math.max(0, time.toMillis() - millisSince(start)));
        cluster.join();
        return endOfFault(
                what,
                " of " + String.join("+", side) + ": it refuses after " + refused
                        + " ms, on the other side all answer after " + takenOver + " ms",
                start,
                Set.of(side));
    }

    /** Makes the connections of this node slow for this time. This is not a fault: no message may be lost. */
    public Result slow(String victim, Duration time) throws Exception {
        long start = begin();
        cluster.slow(victim);
        Thread.sleep(time);
        cluster.join();
        return end("slow connections", " of " + victim, start, Set.of());
    }

    /**
     * Restarts a node with a wall clock that can be set, and sets it for this time. This is not a fault: no message may
     * be lost.
     */
    public Result setClock(String victim, Duration difference, Duration time) throws Exception {
        cluster.leave(victim);
        WallClock clock = cluster.startWithClock(victim);
        cluster.awaitUp();
        long start = begin();
        cluster.setClock(victim, clock, difference);
        Thread.sleep(time);
        takeOver(start, cluster.names().toArray(String[]::new));
        cluster.setClock(victim, clock, Duration.ZERO);
        Result result = end("clock set", " of " + victim + " by " + difference, start, Set.of());
        cluster.leave(victim);
        cluster.start(victim);
        cluster.awaitUp();
        return result;
    }

    /** Waits until all nodes agree on the members, and restarts the other nodes. */
    private Result endOfFault(String event, String text, long start, Set<String> victims) throws Exception {
        Set<String> removed = awaitDecision();
        removed.stream().filter(name -> !victims.contains(name)).forEach(name -> cluster.removedToo(name, start));
        Set<String> faulty = new TreeSet<>(victims);
        faulty.addAll(removed);
        faulty.forEach(cluster::faultEnds);
        Result result = end(event, text + ", removed: " + removed, start, faulty);
        for (String name : removed) {
            cluster.restart(name);
        }
        cluster.awaitUp();
        return result;
    }

    /**
     * Lets each of these nodes in turn leave, and restarts it, all under one load. This is not a fault: no message may
     * be lost.
     */
    public Result leave(String... victims) throws Exception {
        return restartEach("leave and start again", Map.of(), name -> {}, victims);
    }

    /**
     * Replaces all nodes, one after the other and under load, by nodes with the other version of the program. Entities
     * of the type that version 2 adds answer each new node at once. This is not a fault: no message may be lost.
     */
    public Result update() throws Exception {
        version = version == 1 ? 2 : 1;
        return restartEach(
                "rolling update",
                Map.of("version", String.valueOf(version)),
                name -> {
                    if (version > 1) {
                        String answer = cluster.node(name).ask("ask added new 10000 0");
                        if (answer.contains("Exception")) {
                            throw new IllegalStateException("the added type does not answer " + name + ": " + answer);
                        }
                    }
                },
                cluster.names().toArray(String[]::new));
    }

    private Result restartEach(String event, Map<String, String> options, Consumer<String> restarted, String... victims)
            throws Exception {
        long start = begin();
        StringBuilder text = new StringBuilder(":");
        for (String victim : victims) {
            String left = cluster.leave(victim);
            cluster.startWith(options, victim).awaitJoined();
            cluster.awaitUp();
            restarted.accept(victim);
            cluster.load(victim, rate / cluster.names().size(), keys, seed);
            text.append(" ").append(victim).append(" ").append(left).append(" ms,");
        }
        text.append(" longest pause of a key ")
                .append(cluster.read()
                        .longestPause(key -> true, start, System.nanoTime())
                        .toMillis())
                .append(" ms");
        return end(event, text.toString(), start, Set.of());
    }

    /** Terminates a JVM, like {@code kill -TERM}; its node leaves. This is not a fault: no message may be lost. */
    public Result terminate(String victim) throws Exception {
        long start = begin();
        cluster.terminate(victim);
        String text = " of " + victim + ": ended after " + millisSince(start) + " ms";
        cluster.start(victim);
        cluster.awaitUp();
        return end("kill -TERM", text, start, Set.of());
    }

    /**
     * Lets a node leave, and then join again while all processors are busy. Its first attempts end after a random time,
     * in any phase. This is not a fault: no message may be lost, and all entities answer.
     */
    public Result abortedJoins(String victim, int attempts, Random random) throws Exception {
        long start = begin();
        cluster.leave(victim);
        int aborted = Hogs.during(() -> abortJoins(victim, attempts, random));
        cluster.start(victim);
        cluster.awaitUp();
        long answered = System.nanoTime();
        takeOver(answered, cluster.names().toArray(String[]::new));
        return end(
                "aborted joins",
                " of " + victim + ", " + aborted + " of " + attempts + "; then all answer after "
                        + millisSince(answered) + " ms",
                start,
                Set.of());
    }

    /** Returns the number of aborted attempts. */
    private int abortJoins(String victim, int attempts, Random random) throws IOException {
        int aborted = 0;
        for (int i = 0; i < attempts; i++) {
            String limit = String.valueOf(200 + random.nextInt(6_000));
            if (cluster.startWith(Map.of("join", limit), victim).hasJoined()) {
                cluster.leave(victim);
            } else {
                aborted++;
            }
        }
        return aborted;
    }

    /** Starts an entity for each key, and sends from all nodes. Returns the time. */
    private long begin() throws Exception {
        seed++;
        cluster.newRound();
        cluster.node(cluster.names().get(0)).ask("answers " + keys + " " + Cluster.LIMIT.toMillis());
        cluster.load(rate, keys, seed);
        Thread.sleep(BEFORE);
        return System.nanoTime();
    }

    /**
     * Gives an entity of this node work for some seconds. When the others have taken over, the node therefore has
     * pending messages, which it would handle without a fence.
     */
    private void backlog(String name) throws IOException {
        cluster.read().ownersAt(System.nanoTime()).entrySet().stream()
                .filter(owner -> owner.getValue().equals(name))
                .findFirst()
                .ifPresent(owner -> cluster.node(name).ask("tell counter " + owner.getKey() + " 400 20"));
    }

    private Result end(String event, String text, long start, Set<String> victims) throws Exception {
        Thread.sleep(AFTER);
        cluster.unload();
        Journals journals = cluster.settled();
        Report report = journals.check();
        Map<String, String> owners = journals.ownersAt(start);
        Duration pause = journals.longestPause(
                key -> owners.containsKey(key) && !victims.contains(owners.get(key)), start, System.nanoTime());
        return new Result(
                event,
                event + text + "; longest pause of the others' keys " + pause.toMillis() + " ms; " + report + "\n  "
                        + cluster.stats(),
                cluster.round(),
                report);
    }

    private String[] othersThan(String... victims) {
        return cluster.names().stream()
                .filter(name -> !Arrays.asList(victims).contains(name))
                .toArray(String[]::new);
    }

    private static long millisSince(long start) {
        return (System.nanoTime() - start) / 1_000_000;
    }

    /**
     * Waits until all keys answer the first of these nodes that is not removed meanwhile. Returns the milliseconds
     * since the start.
     */
    private long takeOver(long start, String... observers) {
        for (String observer : observers) {
            String answer = cluster.node(observer).ask("answers " + keys + " " + Cluster.LIMIT.toMillis());
            if (!answer.equals("removed")) {
                return millisSince(start);
            }
        }
        throw new IllegalStateException("all have been removed: " + List.of(observers));
    }

    /** Waits until this node refuses messages of its own program. */
    private long refusal(String name, long start) {
        Cluster.until(
                name + " refuses",
                () -> cluster.node(name).ask("ask counter k0 1000 0").startsWith("NoMajorityException "));
        return millisSince(start);
    }

    /**
     * Waits until all nodes that have not been removed see exactly each other: until then they may send to a removed
     * node, which loses messages. A node that could not reach the victim while others could may be removed together
     * with it.
     */
    private Set<String> awaitDecision() {
        Set<String> removed = new TreeSet<>();
        Cluster.until("all agree who is a member", () -> {
            removed.clear();
            Set<String> members = cluster.alive();
            members.stream()
                    .filter(name -> cluster.node(name).ask("removed").equals("true"))
                    .forEach(removed::add);
            members.removeAll(removed);
            return cluster.agree(members);
        });
        return removed;
    }
}
