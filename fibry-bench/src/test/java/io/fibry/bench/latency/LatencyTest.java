package io.fibry.bench.latency;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.bench.Output;
import io.fibry.bench.net.Programs;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each peer handles each message exactly once, and all figures are present. Their values are not checked. */
@Timeout(120)
class LatencyTest {

    private static final String SECONDS = "0.1";

    /** In the first run, Go also compiles its library, which may take minutes on a busy machine. */
    @BeforeAll
    @Timeout(600)
    static void compileTheProgramInGo() throws IOException {
        if (LatencyPeer.GO.missing() == null) {
            assertFalse(Programs.go("ticks", List.of()).isEmpty());
        }
    }

    /** Returns the first and the last case of each measurement, with all peers. */
    static Stream<Arguments> trials() {
        return Stream.of(Latency.values())
                .flatMap(latency -> latency.peers().stream()
                        .filter(peer -> peer.missing() == null)
                        .flatMap(peer -> Stream.of(
                                        latency.cases().getFirst(),
                                        latency.cases().getLast())
                                .map(LatencyTest::small)
                                .distinct()
                                .map(params -> Arguments.of(latency, peer, params))));
    }

    private static SortedMap<String, String> small(SortedMap<String, String> params) {
        var small = new TreeMap<>(params);
        small.replace("actors", "100");
        small.replace("millis", "5");
        return small;
    }

    @ParameterizedTest
    @MethodSource("trials")
    void allFiguresAreThere(Latency latency, LatencyPeer peer, SortedMap<String, String> params) throws Exception {
        var args = new ArrayList<>(List.of(latency.name(), peer.name(), SECONDS));
        params.forEach((name, value) -> args.add(name + "=" + value));
        if (peer == LatencyPeer.GO) {
            check(latency, latency.measure(peer, params, Double.parseDouble(SECONDS), List.of()));
        } else {
            check(latency, Finding.in(Output.of(() -> LatencyProgram.run(args.toArray(String[]::new)))));
        }
    }

    private static void check(Latency latency, List<Finding> found) {
        String output = found.toString();
        assertEquals(names(latency), found.stream().map(Finding::name).toList(), output);
        for (int i = 1; i < 4; i++) {
            assertTrue(found.get(i).value() >= found.get(i - 1).value(), output);
        }
    }

    private static List<String> names(Latency latency) {
        var names = new ArrayList<>(List.of("p50", "p99", "p99.9", "max"));
        if (latency == Latency.TICKS) {
            names.addAll(List.of("mean", "ticks", "cores", "heap"));
            return names;
        }
        String others = latency == Latency.BURN ? "echo-" : "sender-";
        List.of("p50", "p99", "p99.9", "max").forEach(name -> names.add(others + name));
        switch (latency) {
            case FLOOD -> names.add("flood");
            case BURN -> names.add("burned");
            default -> {}
        }
        return names;
    }

    @Test
    void aForkIsAJvmOfItsOwn() throws IOException, InterruptedException {
        Map<String, String> params = Map.of("rate", "1000", "others", "10");
        List<Finding> found = Latency.FLOOD.measure(LatencyPeer.PEKKO_FAIR, params, 0.1, List.of("-Xmx256m"));
        assertEquals(names(Latency.FLOOD), found.stream().map(Finding::name).toList());
        var error = assertThrows(
                IOException.class, () -> Latency.TELL.measure(LatencyPeer.FIBRY, Map.of(), 0.1, List.of()));
        assertTrue(error.getMessage().contains("The parameter rate is missing."), error.getMessage());
    }

    @Test
    void aMessageThatIsHandledTwiceIsAnError() {
        var error = assertThrows(
                IllegalStateException.class,
                () -> OpenLoop.run(1_000, 1, Duration.ofMillis(100), message -> {
                    message.handled();
                    message.handled();
                }));
        assertEquals("200 were handled instead of 100", error.getMessage());
    }

    @Test
    void theMessagesOfABurstAreDueTogether() {
        var due = new ArrayList<Long>();
        OpenLoop.run(1_000, 5, Duration.ofMillis(20), message -> {
            due.add(message.due());
            message.handled();
        });
        long start = due.getFirst();
        assertEquals(
                Stream.of(0, 0, 0, 0, 0, 5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 15, 15, 15, 15, 15)
                        .toList(),
                due.stream().map(nanos -> (int) ((nanos - start) / 1_000_000)).toList());
    }

    /** Coordinated omission: a sender that is delayed for 100 ms delays a hundred messages, not one. */
    @Test
    void messagesThatAHeldUpSenderSendsLateAreLate() {
        var held = new boolean[1];
        OpenLoop loop = OpenLoop.run(1_000, 1, Duration.ofMillis(200), message -> {
            long until = message.due() + Duration.ofMillis(100).toNanos();
            while (!held[0] && System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            held[0] = true;
            message.handled();
        });
        Finding p99 = loop.findings().get(1);
        assertTrue(p99.value() >= 90_000, p99.toString()); // of 200, the third is 98 ms late, or more
    }

    @Test
    void beatsThatDidNotComeInTimeCountEachFromWhenTheyWereDue() {
        var held = new boolean[1];
        var beats = new Beats(Thread.ofPlatform(), Duration.ofMillis(200), () -> {
            long until = System.nanoTime() + Duration.ofMillis(150).toNanos();
            while (!held[0] && System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            held[0] = true;
        });
        Latencies latencies = beats.await();
        assertEquals(20, latencies.count());
        assertTrue(latencies.findings("").getFirst().value() >= 40_000, "of 20, the tenth is 50 ms late, or more");
    }
}
