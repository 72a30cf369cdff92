package io.fibry.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** A recording of the library's events, without thresholds. */
public final class FlightTape implements AutoCloseable {

    private static final List<String> EVENTS = List.of(
            "MessageWait",
            "MessageRun",
            "Ask",
            "MailboxOverflow",
            "DeadLetter",
            "ActorFailure",
            "ActorRestart",
            "ActorStop",
            "ActorEnd");

    private final Recording recording = new Recording();

    public FlightTape() {
        EVENTS.forEach(name -> recording.enable("fibry." + name).withThreshold(Duration.ZERO));
        recording.enable("fibry.CarrierHeld").withThreshold(Duration.ofMillis(20));
        recording.start();
    }

    /** The events of this type about this actor, until now, in the order of their end. */
    public List<RecordedEvent> events(String name, String actor) throws IOException {
        Path file = Files.createTempFile("flight", ".jfr");
        try {
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().equals("fibry." + name))
                    .filter(event -> actor.equals(event.getString("actor")))
                    .sorted((a, b) -> a.getEndTime().compareTo(b.getEndTime()))
                    .toList();
        } finally {
            Files.delete(file);
        }
    }

    @Override
    public void close() {
        recording.close();
    }
}
