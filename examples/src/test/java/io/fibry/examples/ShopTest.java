package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorInfo;
import io.fibry.AskDeadlockException;
import io.fibry.Incident;
import io.fibry.SystemDump;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The faults of the shop are found as described in its guide. {@link ObserverPageTest} tests the page. */
@Timeout(120)
class ShopTest {

    private final List<Incident> incidents = new CopyOnWriteArrayList<>();
    private final Shop shop = Shop.open(0);

    @BeforeEach
    void listen() {
        shop.system().onIncident(incidents::add);
    }

    @AfterEach
    void close() {
        shop.close();
    }

    /** Polls until the dump contains a match. */
    private static <T> T await(Supplier<Optional<T>> look) {
        for (; ; ) {
            Optional<T> found = look.get();
            if (found.isPresent()) {
                return found.get();
            }
            LockSupport.parkNanos(10_000_000);
        }
    }

    private ActorInfo inDump(Function<SystemDump, List<ActorInfo>> list, String name) {
        return await(() -> find(list.apply(shop.system().dump()), name));
    }

    private static Optional<ActorInfo> find(List<ActorInfo> actors, String name) {
        return actors.stream().filter(actor -> actor.name().equals(name)).findFirst();
    }

    private Incident failureOf(String actor) {
        return await(() -> incidents.stream()
                .filter(incident -> incident.actor().equals(actor))
                .findFirst());
    }

    private static boolean isIn(ActorInfo actor, String method) {
        return actor.stack().stream().anyMatch(frame -> frame.getMethodName().equals(method));
    }

    @Test
    void theSlowOneHasTheFullestMailbox() {
        await(() -> find(shop.system().dump().fullest(), "billing").filter(actor -> actor.mailboxSize() > 5));
        await(() -> find(shop.system().dump().longestRunning(), "billing").filter(actor -> isIn(actor, "askTheBank")));
    }

    @Test
    void theCrashingOneHasTheMostRestarts() {
        Incident incident = failureOf("labels");
        assertEquals(Incident.Kind.FAILURE, incident.kind());
        assertTrue(String.valueOf(incident.failure()).endsWith(" has no address"), incident::toString);
        assertTrue(inDump(SystemDump::mostRestarted, "labels").failures() > 0);
    }

    @Test
    void theHogIsRunningAndInARecording() {
        await(() ->
                find(shop.system().dump().longestRunning(), "prices").filter(actor -> isIn(actor, "computePrices")));
        Set<String> held = ConcurrentHashMap.newKeySet();
        try (var recording = new RecordingStream()) {
            recording.onEvent("fibry.CarrierHeld", event -> held.add(event.getString("actor")));
            recording.startAsync();
            await(() -> held.stream().filter("prices"::equals).findFirst());
        }
    }

    /** The actor that completes the cycle fails. Its exception goes to its asker. */
    @Test
    void theDeadlockIsAFailureWithItsCycle() {
        var deadlock = assertInstanceOf(
                AskDeadlockException.class, failureOf("returns").failure());
        assertEquals(Set.of("returns", "refunds"), Set.copyOf(deadlock.cycle()));
        assertEquals(deadlock.cycle().getFirst(), deadlock.cycle().getLast());
    }

    @Test
    void actorsWithATimeoutWaitForEachOther() {
        await(() -> {
            List<ActorInfo> waiting = shop.system().dump().longestRunning();
            Stream<ActorInfo> both = Stream.concat(
                    find(waiting, "stock").filter(actor -> "supplier".equals(actor.waitsFor())).stream(),
                    find(waiting, "supplier").filter(actor -> "stock".equals(actor.waitsFor())).stream());
            return Optional.of(waiting).filter(list -> both.count() == 2);
        });
    }

    @Test
    void itIsAProgramWithAPage() throws Exception {
        try (var program = new Program("Shop", "0")) {
            String line = program.line();
            while (!line.contains("localhost:")) { // the log of a fault may precede the line
                line = program.line();
            }
            int port = Integer.parseInt(line.replaceFirst(".*localhost:(\\d+)/.*", "$1"));
            try (var client = new Client(port)) {
                client.send("GET / HTTP/1.0\r\nHost: localhost\r\n\r\n");
                assertTrue(client.rest().contains("<title>Fibry observer</title>"));
            }
        }
    }
}
