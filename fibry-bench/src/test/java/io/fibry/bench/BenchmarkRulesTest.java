package io.fibry.bench;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.bench.peers.Peer;
import io.fibry.bench.peers.Peers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules for all benchmarks and all peers. */
class BenchmarkRulesTest {

    private static final Path SOURCES = Path.of("src/main/java/io/fibry/bench");
    private static final Pattern COMMAND =
            Pattern.compile("\\{@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs=\"([^ \"]+)[^\"]*\"}");

    /** The peers of each comparison, in addition to this library. */
    private static final List<Peers> ALWAYS = List.of(
            Peers.FIBRY,
            Peers.FIBRY_2_4_1,
            Peers.PEKKO,
            Peers.KOTLIN,
            Peers.JOX,
            Peers.VIRTUAL_THREADS,
            Peers.EXECUTOR);

    static Stream<String> classes() {
        return BenchmarkClasses.all().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("classes")
    void theJavadocEndsWithTheCommandThatRunsTheBenchmark(String benchmark) throws IOException {
        String source = Files.readString(SOURCES.resolve(benchmark + ".java"));
        String javadoc = source.substring(source.indexOf("/**"), source.indexOf("*/"));
        String command = javadoc.substring(javadoc.lastIndexOf("<p>Run it:"));
        var matcher = COMMAND.matcher(command);
        assertTrue(matcher.find(), command);
        assertEquals(Set.of(benchmark), BenchmarkClasses.chosenBy(matcher.group(1)), command);
    }

    @Test
    void everySourceWithABenchmarkIsInTheSmokeRun() throws IOException {
        try (Stream<Path> sources = Files.list(SOURCES)) {
            List<String> names = sources.map(
                            path -> path.getFileName().toString().replace(".java", ""))
                    .filter(name -> name.endsWith("Benchmark"))
                    .filter(name -> !name.equals("PeerBenchmark") && !name.equals("ActorBenchmark"))
                    .sorted()
                    .toList();
            assertEquals(
                    names,
                    BenchmarkClasses.pairs().map(Map.Entry::getKey).distinct().toList());
        }
    }

    @ParameterizedTest
    @MethodSource("classes")
    void noPeerIsLeftOut(String benchmark) {
        List<Peers> able = Arrays.stream(Peers.values())
                .filter(peer -> peer.cannot(benchmark) == null)
                .toList();
        List<Peers> takePart = BenchmarkClasses.all().get(benchmark);
        assertTrue(takePart.containsAll(able), able + " could, but only these do: " + takePart);
    }

    @ParameterizedTest
    @MethodSource("classes")
    void thePeersAreInEveryTable(String benchmark) {
        // the report shows the big pools in the table of the others
        String table = benchmark.equals("BlockedPoolsBenchmark") ? "BlockedBenchmark" : benchmark;
        List<Peers> listed = BenchmarkClasses.all().get(table);
        assertTrue(listed.containsAll(ALWAYS), table + " has only " + listed);
    }

    @ParameterizedTest
    @EnumSource
    void anUnsupportedWorkIsReportedWithItsReason(Peers peer) {
        for (String benchmark : BenchmarkClasses.all().keySet()) {
            String why = peer.cannot(benchmark);
            if (why != null) {
                assertTrue(why.endsWith("."), why);
                var refusal = assertThrows(UnsupportedOperationException.class, () -> peer.open(benchmark));
                assertTrue(refusal.getMessage().contains(why), refusal.getMessage());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aClosedPeerLetsTheJvmEnd(Peers peer) throws Exception {
        String benchmark =
                classes().filter(b -> peer.cannot(b) == null).findFirst().orElseThrow();
        Set<Thread> before = threadsThatKeepTheJvmAlive();
        try (Peer opened = peer.open(benchmark)) {
            var handled = new CountDownLatch(1);
            Object actor = opened.actor(message -> handled.countDown());
            opened.tell(actor, "message");
            handled.await();
            opened.stop(actor);
        }
        Set<Thread> left = threadsThatKeepTheJvmAlive();
        left.removeAll(before);
        for (Thread thread : left) {
            thread.join(10_000);
            assertFalse(thread.isAlive(), () -> thread + " is left");
        }
    }

    private static Set<Thread> threadsThatKeepTheJvmAlive() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.isDaemon())
                .collect(toSet());
    }
}
