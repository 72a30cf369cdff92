package io.fibry.cluster.pekko.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The nodes of a cluster, each in its own JVM on this machine: {@code n1} on 127.0.0.1, {@code n2} on 127.0.0.2 and so
 * on, each behind a port of a {@link Proxy}. Their actions are recorded in rounds, which are checked separately. Not
 * thread-safe.
 */
public final class Cluster implements AutoCloseable {

    /**
     * The limit of each wait. An event that has not occurred by then is considered lost. No test depends on the
     * duration of a wait.
     */
    public static final Duration LIMIT = Duration.ofSeconds(90);

    private final Path folder;
    private final Map<String, String> common;
    private final List<String> names = new ArrayList<>();
    private final Map<String, Integer> ports = new HashMap<>();
    private final Map<String, Integer> bindPorts = new HashMap<>();
    private final Map<String, NodeProcess> processes = new TreeMap<>();
    private final Proxy proxy = new Proxy();
    private final Thread atExit = new Thread(this::killAll);
    private Faults faults;
    private Path round;
    private int rounds;
    private int starts;

    private Cluster(Path folder, int nodes, Map<String, String> options) throws IOException {
        delete(folder); // removes the records of an earlier run
        this.folder = Files.createDirectories(folder);
        common = new TreeMap<>(options);
        for (int i = 1; i <= nodes; i++) {
            String name = "n" + i;
            names.add(name);
            ports.put(name, Ports.free(host(name)));
            bindPorts.put(name, Ports.free(host(name)));
            proxy.listen(host(name), ports.get(name), bindPorts.get(name));
        }
        common.put("seeds", names.stream().map(this::address).collect(Collectors.joining(",")));
        Runtime.getRuntime().addShutdownHook(atExit);
        newRound();
    }

    /**
     * Creates a cluster without starting its nodes.
     *
     * @param folder for logs and journals; its contents are deleted
     * @param options as in {@link NodeOptions}, for all nodes
     */
    public static Cluster of(Path folder, int nodes, Map<String, String> options) throws IOException {
        return new Cluster(folder, nodes, options);
    }

    /** Like {@link #of}, but starts all nodes and waits until they see each other. */
    public static Cluster start(Path folder, int nodes, Map<String, String> options) throws IOException {
        Cluster cluster = of(folder, nodes, options);
        try {
            cluster.start(cluster.names.toArray(String[]::new));
            cluster.awaitUp();
            return cluster;
        } catch (RuntimeException | IOException e) {
            cluster.printLogs();
            cluster.close();
            throw e;
        }
    }

    static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    static String host(String name) {
        return "127.0.0." + name.substring(1);
    }

    /** Returns the address at which other nodes reach this node. */
    public String address(String name) {
        return host(name) + ":" + ports.get(name);
    }

    /** Returns the port on which this node listens, behind the proxy. */
    public int bindPort(String name) {
        return bindPorts.get(name);
    }

    public List<String> names() {
        return names;
    }

    /** Returns the nodes that were started and have not been ended, sorted. */
    public Set<String> alive() {
        return processes.values().stream()
                .filter(NodeProcess::isAlive)
                .map(NodeProcess::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    public NodeProcess node(String name) {
        return processes.get(name);
    }

    /** Starts these nodes and waits until they have joined. */
    public void start(String... nodes) throws IOException {
        for (String name : nodes) {
            startWith(Map.of(), name);
        }
        for (String name : nodes) {
            node(name).awaitJoined();
        }
    }

    /** Starts a node with its own options, without waiting for it. */
    public NodeProcess startWith(Map<String, String> options, String name) throws IOException {
        return startWith(options, name, Map.of());
    }

    private NodeProcess startWith(Map<String, String> options, String name, Map<String, String> environment)
            throws IOException {
        starts++;
        var all = new TreeMap<>(common);
        all.put("name", name);
        all.put("host", host(name));
        all.put("port", String.valueOf(ports.get(name)));
        all.put("bindPort", String.valueOf(bindPorts.get(name)));
        all.put("journal", journal(name).toString());
        all.putAll(options);
        NodeProcess process = NodeProcess.start(all, environment, folder.resolve(name + ".log"));
        processes.put(name, process);
        return process;
    }

    private Path journal(String name) {
        return round.resolve(name + "-" + starts + ".journal");
    }

    // ---- rounds

    /** Records further events in another folder. Call this method when no message is in transit. */
    public void newRound() throws IOException {
        rounds++;
        round = Files.createDirectories(folder.resolve("round-" + rounds));
        faults = new Faults(round.resolve("parent.faults"));
        for (String name : alive()) {
            starts++;
            node(name).ask("journal " + journal(name));
        }
    }

    public Path round() {
        return round;
    }

    /** Returns the records of this round so far. */
    public Journals read() throws IOException {
        return Journals.read(round);
    }

    /**
     * Returns the records of this round, after waiting for messages in transit. Call this method when no node sends.
     */
    public Journals settled() throws IOException {
        long start = System.nanoTime();
        Journals journals = read();
        while (journals.check().count(Report.Violation.LOST) > 0 && System.nanoTime() - start < LIMIT.toNanos() / 3) {
            LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
            journals = read();
        }
        return journals;
    }

    /** Starts to send from all live nodes, at the given total rate in messages per second. */
    public void load(int rate, int keys, long seed) {
        Set<String> senders = alive();
        for (String name : senders) {
            load(name, rate / senders.size(), keys, seed);
        }
    }

    /** Like {@link #load(int, int, long)}, from one node. */
    public void load(String name, int rate, int keys, long seed) {
        node(name).ask("load " + rate + " " + keys + " " + (int) (seed + names.indexOf(name)));
    }

    /** Ends the load on all live nodes, and returns the outcomes of the messages of each node. */
    public String unload() {
        return alive().stream().map(name -> name + node(name).ask("unload")).collect(Collectors.joining(" "));
    }

    /** Returns the counters of all live nodes. */
    public String stats() {
        return alive().stream().map(name -> name + node(name).ask("stats")).collect(Collectors.joining(" "));
    }

    /** Returns a counter of a node, by its name in {@link io.fibry.cluster.ClusterStats}. */
    public long count(String name, String what) {
        Matcher count = Pattern.compile(what + "=(\\d+)").matcher(node(name).ask("stats"));
        if (!count.find()) {
            throw new IllegalArgumentException("not a count: " + what);
        }
        return Long.parseLong(count.group(1));
    }

    /** Returns the sum of a counter over all live nodes. */
    public long count(String what) {
        return alive().stream().mapToLong(name -> count(name, what)).sum();
    }

    // ---- faults and other events

    public void kill(String name) throws IOException, InterruptedException {
        faults.begin(name, "kill", System.nanoTime());
        node(name).kill();
    }

    public void freeze(String name) throws IOException {
        faults.begin(name, "freeze", System.nanoTime());
        node(name).freeze();
    }

    public void wake(String name) throws IOException, InterruptedException {
        faults.wake(name);
        node(name).wake();
    }

    /** Separates these nodes from all others. */
    public void separate(Proxy.State state, String... side) {
        for (String name : side) {
            faults.begin(name, "cut", System.nanoTime());
            names.stream()
                    .filter(other -> !Arrays.asList(side).contains(other))
                    .forEach(other -> proxy.set(host(name), host(other), state));
        }
    }

    /** Holds the bytes that this node sends, but not the bytes for it. */
    public void mute(String name) {
        faults.begin(name, "cut", System.nanoTime());
        othersThan(name).forEach(other -> proxy.setOneWay(host(name), host(other), Proxy.State.HELD));
    }

    /** Makes all connections of this node slow. This is not a fault. */
    public void slow(String name) {
        othersThan(name).forEach(other -> proxy.set(host(name), host(other), Proxy.State.SLOW));
    }

    /** Returns whether {@link #startWithClock} is available on this machine. */
    public static boolean hasClocks() {
        return WallClock.isAvailable();
    }

    /** Starts a node whose wall clock can be set, and waits until it has joined. */
    WallClock startWithClock(String name) throws IOException {
        var clock = new WallClock(folder.resolve(name + ".clock").toAbsolutePath());
        startWith(Map.of(), name, clock.environment()).awaitJoined();
        return clock;
    }

    /** Sets the wall clock of a node, relative to that of this machine, and waits until it is set. */
    void setClock(String name, WallClock clock, Duration difference) throws IOException {
        clock.set(difference);
        until("the clock of " + name + " is set", () -> {
            long found = Long.parseLong(node(name).ask("clock")) - System.currentTimeMillis();
            return Math.abs(found - difference.toMillis()) < 30_000;
        });
    }

    private List<String> othersThan(String name) {
        return names.stream().filter(other -> !other.equals(name)).toList();
    }

    /** Undoes {@link #separate}, {@link #mute} and {@link #slow}. */
    public void join() {
        proxy.openAll();
    }

    /** Records that this node was removed together with another node, which had a fault at this time. */
    public void removedToo(String name, long time) {
        faults.begin(name, "removed", time);
    }

    /** Ends the excuse by a fault of this node: the other nodes have taken over, or it has returned. */
    public void faultEnds(String name) {
        faults.end(name);
    }

    /** Lets the node leave, and ends its process. Returns the answer of {@code leave}. */
    public String leave(String name) {
        NodeProcess process = node(name);
        String answer = process.ask("leave 60000");
        process.ask("unload");
        process.close();
        return answer;
    }

    /** Ends the JVM of a node, which leaves first. */
    public void terminate(String name) throws InterruptedException {
        node(name).terminate();
    }

    /** Ends a node that the others have removed, if it is alive, and restarts it. */
    public void restart(String name) throws IOException {
        node(name).close();
        start(name);
    }

    // ---- waiting

    /** Waits until all live nodes see exactly each other. */
    public void awaitUp() {
        until("all see " + alive(), () -> agree(alive()));
    }

    /** Waits until the singleton runs on one live node. */
    public void awaitSingleton() {
        until(
                "one node runs the singleton",
                () -> alive().stream()
                                .filter(name -> node(name).ask("singleton").equals("true"))
                                .count()
                        == 1);
    }

    /** Returns whether each of these nodes sees exactly these nodes as members, with the state up. */
    boolean agree(Set<String> nodes) {
        Set<String> up = nodes.stream().map(name -> address(name) + "/UP").collect(Collectors.toSet());
        return nodes.stream().allMatch(name -> members(name).equals(up));
    }

    /** Waits until none of the observers sees the removed node as a member. */
    public void awaitRemoved(String gone, String... observers) {
        until(
                gone + " is removed",
                () -> Arrays.stream(observers)
                        .allMatch(name -> members(name).stream().noneMatch(m -> m.startsWith(address(gone) + "/"))));
    }

    /** Returns the members that this node sees, as {@code host:port/STATE}. */
    public Set<String> members(String name) {
        return Set.of(node(name).ask("members").split(" "));
    }

    /** Waits until the condition is true, by polling. */
    public static void until(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new IllegalStateException("never: " + what);
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }

    /** Prints the logs of all nodes. */
    public void printLogs() throws IOException {
        for (NodeProcess process : processes.values()) {
            System.out.println("---- log of " + process.name() + "\n" + process.log());
        }
    }

    private void killAll() {
        processes.values().forEach(NodeProcess::close);
    }

    @Override
    public void close() throws IOException {
        killAll();
        proxy.close();
        Runtime.getRuntime().removeShutdownHook(atExit);
    }
}
