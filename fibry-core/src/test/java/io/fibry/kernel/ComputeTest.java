package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.ThreadStrategy;
import io.fibry.entity.LocalEntities;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No function runs inside a {@code ConcurrentHashMap}, except for the ones listed here. The map holds the monitor of a
 * bin meanwhile. On Java 21, a virtual thread that waits for a lock there pins its carrier; if each carrier is pinned,
 * the owner of the lock cannot continue, and all virtual threads of the JVM stop.
 *
 * <p>Seen to fail: an entity that is made inside {@code compute}.
 */
class ComputeTest extends KernelTest {

    /** A call, or a reference to the method. */
    private static final Pattern CALL = Pattern.compile("[.:](compute|computeIfAbsent|computeIfPresent|merge)\\b");

    /** Their functions count, and call no other code. */
    private static final Set<String> COUNT = Set.of("OpenConnections.java", "RequestLimits.java");

    /** Their maps are not concurrent; one thread uses them at a time. */
    private static final Set<String> PLAIN_MAPS = Set.of(
            "SystemTotals.java",
            "SnapshotFeed.java",
            "FenceActor.java",
            "HttpParameters.java",
            "HttpRoutes.java",
            "PostgresChanges.java",
            "Redelivery.java",
            "Sampler.java",
            "Slices.java",
            "Viewers.java");

    @Test
    void noLockIsTakenInsideAMap() throws IOException {
        Set<String> known = new TreeSet<>(COUNT);
        known.addAll(PLAIN_MAPS);
        assertEquals(
                known,
                names(ComputeTest::calls),
                "use putIfAbsent and replace, or note here why the function takes no lock");
    }

    @Test
    void plainMapsStayPlain() throws IOException {
        assertEquals(
                Set.of(),
                names(file -> PLAIN_MAPS.contains(file.getFileName().toString())
                        && text(file).contains("Concurrent")));
    }

    // ---- entities, which are children of one root

    private static final int MORE_THAN_CARRIERS = Integer.getInteger(
                    "jdk.virtualThreadScheduler.parallelism",
                    Runtime.getRuntime().availableProcessors())
            + 4;

    private LocalEntities<String, Integer, Boolean> entities() {
        return Stereotypes.with(ThreadStrategy.virtual()).in(system).entities(key -> message -> true);
    }

    /** On Java 21, this fails if the senders hold the monitor of a bin while they wait. */
    @Test
    void sendersThatWaitForTheRootPinNoCarrier() {
        var entities = entities();
        var senders = new ArrayList<Thread>();
        var run = new CountDownLatch(1);
        Lifecycle root = ActorCell.of(entities).lifecycle();
        root.lock();
        try {
            for (int i = 0; i < MORE_THAN_CARRIERS; i++) {
                String key = "key" + i;
                senders.add(Thread.startVirtualThread(() -> entities.ref(key).tell(1)));
            }
            Await.until("a sender waits for the lock", root::hasQueuedThreads);
            Thread.startVirtualThread(run::countDown);
            Await.latch(run);
        } finally {
            root.unlock();
        }
        senders.forEach(Await::thread);
        assertEquals(MORE_THAN_CARRIERS, entities.size());
    }

    /** The keys have the same hash, and are in one bin. */
    @Test
    void anEntityLeavesTheMapWhileASenderWaitsForTheRoot() {
        var entities = entities();
        Await.value(entities.ref("Aa").ask(1, Await.LIMIT));
        Lifecycle root = ActorCell.of(entities).lifecycle();
        root.lock();
        Thread sender;
        try {
            sender = Thread.ofPlatform().start(() -> entities.ref("BB").tell(1));
            Await.until("the sender waits for the lock", root::hasQueuedThreads);
            entities.end("Aa");
            Await.until("the map is empty", () -> entities.size() == 0);
        } finally {
            root.unlock();
        }
        Await.thread(sender);
        assertEquals(1, entities.size());
    }

    // ---- sources

    /** The names of the matching sources of all modules. */
    private static Set<String> names(Predicate<Path> wanted) throws IOException {
        try (Stream<Path> core = Files.walk(Path.of("src"));
                Stream<Path> extensions = Files.walk(Path.of("..", "extensions"))) {
            return Stream.concat(core, extensions)
                    .filter(ComputeTest::isSource)
                    .filter(wanted)
                    .map(file -> file.getFileName().toString())
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static boolean isSource(Path file) {
        String name = file.toString();
        return name.contains("src/main/") && (name.endsWith(".java") || name.endsWith(".kt"));
    }

    private static boolean calls(Path file) {
        return text(file)
                .lines()
                .map(String::strip)
                .filter(line -> !line.startsWith("*") && !line.startsWith("//"))
                .anyMatch(CALL.asPredicate());
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
