package io.fibry.sockets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.dispatch.OutOfMemory;
import io.fibry.testing.NoLeftovers;
import io.fibry.testing.Program;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeftovers.class)
@Timeout(180)
class SocketCheckTest {

    private static final long PATIENCE = SocketCheck.PATIENCE.toNanos();

    private SocketProbe.Result result = SocketProbe.Result.PASSED;
    private boolean othersRun = true;
    private final List<String> failures = new ArrayList<>();

    /** Its thread does nothing: the test itself performs the checks. */
    private final SocketCheck check = new SocketCheck(
            limit -> result, limit -> othersRun, code -> Thread.ofVirtual().unstarted(() -> {}));

    private long now;

    private void look(Duration later) {
        now += later.toNanos();
        check.look(now);
    }

    @BeforeEach
    void addServer() {
        check.add(e -> failures.add(String.valueOf(e.getMessage())));
    }

    @Test
    void aProbePassesInAHealthyJvm() {
        assertEquals(
                SocketProbe.Result.PASSED, SocketProbe.run(Duration.ofMinutes(2).toNanos()));
        assertTrue(SocketProbe.virtualThreadsRun(Duration.ofMinutes(2).toNanos()));
    }

    /** It loads the classes of the probe while there are file descriptors. */
    @Test
    void theFirstLookRunsAProbe() {
        var probes = new AtomicInteger();
        var threads = new ArrayList<Runnable>();
        var first = new SocketCheck(
                limit -> {
                    probes.incrementAndGet();
                    return SocketProbe.Result.PASSED;
                },
                limit -> true,
                code -> {
                    threads.add(code);
                    return Thread.ofVirtual().unstarted(() -> {});
                });
        first.add(e -> {}).close(); // so there is one look
        threads.getFirst().run();
        assertEquals(1, probes.get());
    }

    @Test
    void serversFailIfNoProbePassesForAWhileAfterMemoryHasRunOut() {
        OutOfMemory.note();
        result = SocketProbe.Result.FAILED;
        look(Duration.ZERO);
        look(Duration.ofNanos(PATIENCE - 1));
        assertEquals(List.of(), failures);
        look(Duration.ofNanos(1));
        assertEquals(1, failures.size());
        assertTrue(failures.getFirst().contains("restart the JVM"), failures.getFirst());
        assertThrows(IllegalStateException.class, () -> check.add(e -> {}));
    }

    @Test
    void aPassingProbeProvesHealth() {
        OutOfMemory.note();
        result = SocketProbe.Result.FAILED;
        look(Duration.ZERO);
        result = SocketProbe.Result.PASSED;
        look(Duration.ofNanos(PATIENCE / 2));
        OutOfMemory.note();
        result = SocketProbe.Result.FAILED;
        look(Duration.ofNanos(PATIENCE / 2));
        assertEquals(List.of(), failures);
    }

    @Test
    void aProbeWithoutSocketsIsInconclusive() {
        OutOfMemory.note();
        result = SocketProbe.Result.FAILED;
        look(Duration.ZERO);
        result = SocketProbe.Result.UNKNOWN;
        look(Duration.ofNanos(PATIENCE));
        result = SocketProbe.Result.FAILED;
        look(Duration.ofNanos(PATIENCE));
        assertEquals(List.of(), failures);
    }

    @Test
    void busyProcessorsAreNotAFault() {
        look(Duration.ZERO); // proves the state as of all earlier errors
        result = SocketProbe.Result.FAILED;
        othersRun = false;
        int before = OutOfMemory.noted();
        for (int i = 0; i < 100; i++) {
            look(SocketCheck.PATIENCE);
        }
        assertEquals(List.of(), failures);
        assertEquals(before, OutOfMemory.noted());
    }

    @Test
    void anErrorThatTheLibraryHasNotSeenIsNoticed() {
        look(Duration.ZERO);
        result = SocketProbe.Result.FAILED;
        while (failures.isEmpty()) {
            look(Duration.ofSeconds(10));
        }
        assertTrue(now >= PATIENCE);
    }

    @Test
    void serversCanStartAgainAfterAPassingProbe() {
        OutOfMemory.note();
        result = SocketProbe.Result.FAILED;
        look(Duration.ZERO);
        look(SocketCheck.PATIENCE);
        assertThrows(IllegalStateException.class, () -> check.add(e -> {}));
        result = SocketProbe.Result.PASSED;
        look(Duration.ofSeconds(1));
        check.add(e -> {}).close();
    }

    /** In a separate JVM, whose pollers end. */
    @Test
    void serversWhosePollersHaveEndedCloseTheirPortsAndFail() throws Exception {
        var options = List.of("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");
        try (var program = Program.startWith(options, NoPollers.class)) {
            int status = program.awaitEnd();
            assertEquals(
                    List.of(
                            "tcp: FAILED, restart the JVM",
                            "http: FAILED, restart the JVM",
                            "the ports are free",
                            "another server: restart the JVM",
                            "a named server: restart the JVM",
                            "its name is free: true",
                            "closed: true"),
                    program.lines(),
                    program.log());
            assertEquals(0, status, program.log());
        }
    }
}
