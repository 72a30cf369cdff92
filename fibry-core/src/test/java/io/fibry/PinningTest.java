package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library blocks no carrier thread. */
class PinningTest extends KernelTest {

    private static final String PINNED = "jdk.VirtualThreadPinned";

    /** The JDK pins a thread while it registers one that starts or ends. Its map may wait for a lock then. */
    private static final String REGISTRY = "jdk.internal.vm.ThreadContainer";

    /** The methods of virtual threads that access the interrupt status under a monitor, for a few microseconds. */
    private static final Set<String> INTERRUPTS = Set.of("getAndClearInterrupt", "interrupt");

    @TempDir
    Path directory;

    @BeforeAll
    static void needsFlightRecorder() {
        assumeTrue(FlightRecorder.isAvailable());
    }

    @Test
    void aBusySystemDoesNotPin() throws IOException {
        workHard(ActorSystem.create()); // whatever the first use initialises
        List<RecordedEvent> events = pinnedDuring(() -> {
            for (int i = 0; i < 5; i++) {
                workHard(ActorSystem.create());
            }
        });
        assertEquals(
                List.of(), events.stream().filter(PinningTest::namesTheLibrary).toList());
    }

    @Test
    void theRecorderSeesAHandlerThatPins() throws IOException {
        List<RecordedEvent> events = pinnedDuring(() -> {
            var pinning = system.actor().newActorWithReturn((Integer n) -> Pinning.value);
            assertEquals(1, Await.value(pinning.ask(1)));
        });
        assertFalse(events.stream().noneMatch(PinningTest::namesTheLibrary));
    }

    /** A class initialiser that blocks pins on every JDK. A bare park might consume a permit and not block. */
    private static final class Pinning {
        static final int value;

        static {
            pause(Duration.ofMillis(50));
            value = 1;
        }
    }

    private static void workHard(ActorSystem busy) {
        try (busy) {
            var parent = busy.actor().newSink(new ArrayList<Integer>());
            var adder = busy.actor().childOf(parent).newActorWithReturn((Integer n) -> n + 1);
            var replies = new ArrayList<CompletableFuture<Integer>>();
            for (int i = 0; i < 500; i++) {
                var asker = busy.actor().newActorWithReturn((Integer n) -> {
                    pause();
                    return adder.ask(n).join();
                });
                replies.add(asker.ask(i));
                parent.execute(list -> list.add(1));
                busy.actor("clerk" + i).onStop(exit -> PinningTest.pause()).runOnce(PinningTest::pause);
                var victim = busy.actor().newActor((Integer n) -> pause());
                victim.tell(i);
                victim.stop(StopMode.INTERRUPT);
                busy.actor()
                        .newActor((Integer n) -> {
                            victim.close();
                            asker.closeOnExit(victim);
                        })
                        .tell(i);
            }
            replies.forEach(Await::value);
            busy.close(Await.LIMIT);
        }
    }

    private static void pause() {
        pause(Duration.ofNanos(100_000));
    }

    private static void pause(Duration time) {
        try {
            if (new Semaphore(0).tryAcquire(time.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new AssertionError("there was no permit");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<RecordedEvent> pinnedDuring(Runnable code) throws IOException {
        Path file = directory.resolve("pinned.jfr");
        try (var recording = new Recording()) {
            recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
            recording.start();
            code.run();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(PINNED)) // the library has events of its own
                .toList();
        Files.delete(file);
        return events;
    }

    private static boolean namesTheLibrary(RecordedEvent event) {
        return hasFrameOf(event, "io.fibry.") && !hasFrameOf(event, REGISTRY) && !isInInterrupt(event);
    }

    private static boolean isInInterrupt(RecordedEvent event) {
        RecordedMethod top = event.getStackTrace().getFrames().getFirst().getMethod();
        return top.getType().getName().equals("java.lang.VirtualThread") && INTERRUPTS.contains(top.getName());
    }

    private static boolean hasFrameOf(RecordedEvent event, String types) {
        return event.getStackTrace() != null
                && event.getStackTrace().getFrames().stream()
                        .anyMatch(frame -> frame.getMethod().getType().getName().startsWith(types));
    }
}
