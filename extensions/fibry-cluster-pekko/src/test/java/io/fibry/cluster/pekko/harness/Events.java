package io.fibry.cluster.pekko.harness;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * What may happen to the nodes of a cluster, each under load and in a round of its own. Before and after each event, all nodes are up.
 * For one thread.
 */
public final class Events {

    /**
     * What an event has done.
     *
     * @param text the measured times and counts, in one line
     * @param round the folder with the journals
     */
    public record Result(String text, Path round, Report report) {}

    private static final Duration BEFORE = Duration.ofSeconds(1);
    private static final Duration AFTER = Duration.ofSeconds(1);

    private final Cluster cluster;
    private final int rate;
    private final int keys;
    private long seed;

    /** The rate is in messages a second, of all nodes together. */
    public Events(Cluster cluster, int rate, int keys, long seed) {
        this.cluster = cluster;
        this.rate = rate;
        this.keys = keys;
        this.seed = seed;
    }

    /** All nodes send for a while, and nothing happens. */
    public Result nothing(Duration time) throws Exception {
        long start = begin();
        Thread.sleep(time);
        return end("no event", start, Set.of());
    }

    /**
     * Waits until the nodes own as many shards each, or one more: then Pekko moves none. Only shards with a message since their last move
     * are counted.
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

    /** As {@code kill -9}. The others take over; then the node is started again. */
    public Result kill(String victim) throws Exception {
        long start = begin();
        cluster.kill(victim);
        String[] others = othersThan(victim);
        long takenOver = takeOver(start, others);
        cluster.awaitRemoved(victim, others);
        cluster.faultEnds(victim);
        Result result = end("kill -9 of " + victim + ": all answer after " + takenOver + " ms", start, Set.of(victim));
        cluster.start(victim);
        cluster.awaitUp();
        return result;
    }

    /** As {@code kill -STOP} and {@code -CONT}. Who has been removed meanwhile is started again. */
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
                "freeze of " + victim + " for " + time.toMillis() + " ms: all answer after " + takenOver + " ms",
                start,
                Set.of(victim));
    }

    /** These nodes and the others do not reach each other for this time, or longer if the others have not taken over by then. */
    public Result separate(Proxy.State state, Duration time, String... side) throws Exception {
        begin();
        backlog(side[0]);
        long start = System.nanoTime();
        cluster.separate(state, side);
        long refused = refusal(side[0], start);
        long takenOver = takeOver(start, othersThan(side));
        Thread.sleep(Math.max(0, time.toMillis() - millisSince(start)));
        cluster.join();
        return endOfFault(
                "partition (" + state + ") of " + String.join("+", side) + ": it refuses after " + refused
                        + " ms, on the other side all answer after " + takenOver + " ms",
                start,
                Set.of(side));
    }

    /** Waits until all agree who is a member, and starts the others again. */
    private Result endOfFault(String text, long start, Set<String> victims) throws Exception {
        Set<String> removed = awaitDecision();
        removed.stream().filter(name -> !victims.contains(name)).forEach(name -> cluster.removedToo(name, start));
        Set<String> faulty = new TreeSet<>(victims);
        faulty.addAll(removed);
        faulty.forEach(cluster::faultEnds);
        Result result = end(text + ", removed: " + removed, start, faulty);
        for (String name : removed) {
            cluster.restart(name);
        }
        cluster.awaitUp();
        return result;
    }

    /** Each of these nodes in turn leaves and is started again, all under one load. No fault: nothing may get lost. */
    public Result leave(String... victims) throws Exception {
        long start = begin();
        StringBuilder text = new StringBuilder("leave and start again:");
        for (String victim : victims) {
            String left = cluster.leave(victim);
            cluster.start(victim);
            cluster.awaitUp();
            cluster.load(victim, rate / cluster.names().size(), keys, seed);
            text.append(" ").append(victim).append(" ").append(left).append(" ms,");
        }
        text.append(" longest pause of a key ")
                .append(cluster.read()
                        .longestPause(key -> true, start, System.nanoTime())
                        .toMillis())
                .append(" ms");
        return end(text.toString(), start, Set.of());
    }

    /** As {@code kill -TERM}: a node leaves because its JVM ends. No fault: nothing may get lost. */
    public Result terminate(String victim) throws Exception {
        long start = begin();
        cluster.terminate(victim);
        String text = "kill -TERM of " + victim + ": ended after " + millisSince(start) + " ms";
        cluster.start(victim);
        cluster.awaitUp();
        return end(text, start, Set.of());
    }

    /** All keys have an entity, and all nodes send. Returns the time. */
    private long begin() throws Exception {
        seed++;
        cluster.newRound();
        cluster.node(cluster.names().get(0)).ask("answers " + keys + " " + Cluster.LIMIT.toMillis());
        cluster.load(rate, keys, seed);
        Thread.sleep(BEFORE);
        return System.nanoTime();
    }

    /**
     * An entity of this node gets work for some seconds. So there is always something that the node would go on with if nothing kept it
     * from doing so when others have taken over.
     */
    private void backlog(String name) throws IOException {
        cluster.read().ownersAt(System.nanoTime()).entrySet().stream()
                .filter(owner -> owner.getValue().equals(name))
                .findFirst()
                .ifPresent(owner -> cluster.node(name).ask("tell counter " + owner.getKey() + " 400 20"));
    }

    private Result end(String text, long start, Set<String> victims) throws Exception {
        Thread.sleep(AFTER);
        cluster.unload();
        Journals journals = cluster.settled();
        Report report = journals.check();
        Map<String, String> owners = journals.ownersAt(start);
        Duration pause = journals.longestPause(
                key -> owners.containsKey(key) && !victims.contains(owners.get(key)), start, System.nanoTime());
        return new Result(
                text + "; longest pause of the others' keys " + pause.toMillis() + " ms; " + report + "\n  "
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

    /** Waits until all keys answer one of these nodes: the first of them that is not removed meanwhile. Returns the milliseconds since then. */
    private long takeOver(long start, String... observers) {
        for (String observer : observers) {
            String answer = cluster.node(observer).ask("answers " + keys + " " + Cluster.LIMIT.toMillis());
            if (!answer.equals("removed")) {
                return millisSince(start);
            }
        }
        throw new IllegalStateException("all have been removed: " + List.of(observers));
    }

    /** Waits until this node refuses what its own program sends. */
    private long refusal(String name, long start) {
        Cluster.until(
                name + " refuses",
                () -> cluster.node(name).ask("ask counter k0 1000 0").startsWith("NoMajorityException "));
        return millisSince(start);
    }

    /**
     * Waits until all nodes that have not been removed see each other, and nobody else: until then they may send to a removed node, and that
     * is lost. A node may be removed along with the victim: one that did not reach it, while others did.
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
