package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.fibry.testing.Gate;
import io.fibry.testing.Program;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.Configuration;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The settings files for Flight Recorder that are part of the jar, in JVMs that provoke each event.
 *
 * <p>Seen to fail: with a file that lacks an event, with a threshold in {@code fibry.jfc} that differs from the one of
 * its event, with a setting that enables {@code fibry.Ask} in {@code fibry-low.jfc}, and with one that disables it in
 * {@code fibry-profile.jfc}.
 */
@Timeout(120)
class FlightSettingsTest {

    private static final String JDK_EVENT = "jdk.JVMInformation"; // enabled in the JDK's default settings
    private static final long LONG_MILLIS = 150; // above all thresholds of fibry.jfc
    private static final long SHORT_MILLIS = 5; // above the thresholds of fibry-profile.jfc

    @TempDir
    private Path folder;

    /** Provokes each event except {@code CarrierHeld}; the handlers take this number of milliseconds. */
    static final class Provocation {
        public static void main(String[] args) throws Exception {
            long millis = Long.parseLong(args[0]);
            try (var system = ActorSystem.create()) {
                var slow = system.actor("slow").newActorWithReturn((String s) -> {
                    Thread.sleep(millis);
                    return s.length();
                });
                slow.tell("a");
                slow.call("b");
                var fragile = system.actor("fragile")
                        .supervision(Supervision.restart())
                        .<Integer>newActorFrom(context -> n -> Objects.checkIndex(n, 1));
                fragile.tell(2);
                fragile.stop();
                fragile.waitForExit();
                var gate = new Gate();
                var full = system.actor("full").bounded(1, Overflow.DROP_NEWEST).newActor((Integer n) -> gate.pass());
                full.tell(1);
                gate.awaitReached();
                full.tell(2);
                full.tell(3); // dropped
                full.stop(StopMode.DISCARD); // 2 becomes a dead letter
                gate.open();
                full.waitForExit();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fibry.jfc", "fibry-low.jfc", "fibry-profile.jfc"})
    void aFileHasAllEventsOfTheLibraryAndNoOthers(String file) throws Exception {
        var names = new TreeSet<String>();
        settings(file).keySet().forEach(key -> names.add(key.substring(0, key.indexOf('#'))));
        Set<String> events =
                eventTypes().stream().map(EventType::getName).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(10, events.size(), events::toString);
        assertEquals(events, names);
    }

    @Test
    void theDefaultFileHasTheDefaultsOfTheEvents() throws Exception {
        Map<String, String> file = settings("fibry.jfc");
        var defaults = new TreeMap<String, String>();
        for (EventType type : eventTypes()) {
            type.getSettingDescriptors()
                    .forEach(setting ->
                            defaults.put(type.getName() + "#" + setting.getName(), setting.getDefaultValue()));
        }
        defaults.keySet().retainAll(file.keySet());
        assertEquals(defaults, file);
    }

    @ParameterizedTest
    @CsvSource({
        "fibry.jfc, 150, MessageWait MessageRun Ask MailboxOverflow DeadLetter ActorFailure ActorRestart ActorStop"
                + " ActorEnd",
        "fibry-low.jfc, 150, MailboxOverflow DeadLetter ActorFailure ActorRestart",
        "fibry-profile.jfc, 5, MessageWait MessageRun Ask MailboxOverflow DeadLetter ActorFailure ActorRestart"
                + " ActorStop ActorEnd"
    })
    void aRecordingHasTheEventsOfTheFile(String file, long millis, String expected) throws Exception {
        try (InputStream in = resource(file)) {
            Files.copy(in, folder.resolve(file));
        }
        assertEquals(
                Set.of(expected.split(" ")), recorded("settings=default,settings=" + folder.resolve(file), millis));
    }

    /** Without a file, the events have their defaults. */
    @Test
    void aRecordingWithoutAFileHasTheEventsOfTheDefaultFile() throws Exception {
        assertEquals(9, recorded("settings=default", LONG_MILLIS).size());
    }

    @Test
    void anEventOfAFileCanBeChangedOnTheCommandLine() throws Exception {
        try (InputStream in = resource("fibry-low.jfc")) {
            Files.copy(in, folder.resolve("fibry-low.jfc"));
        }
        String settings = "settings=default,settings=" + folder.resolve("fibry-low.jfc");
        assertEquals(
                Set.of("ActorEnd", "DeadLetter", "ActorFailure", "ActorRestart"),
                recorded(settings + ",fibry.ActorEnd#enabled=true,fibry.MailboxOverflow#enabled=false", SHORT_MILLIS));
    }

    /** Returns the library's events in the recording of a JVM with these settings; it also has events of the JDK. */
    private Set<String> recorded(String settings, long millis) throws Exception {
        Path file = folder.resolve("test.jfr");
        String option = "-XX:StartFlightRecording=" + settings + ",filename=" + file;
        try (var program = Program.startWith(List.of(option), Provocation.class, Long.toString(millis))) {
            assertEquals(0, program.awaitEnd(), program.log());
            assertFalse(program.log().contains("jfr"), program.log()); // a warning of the JVM
        }
        Set<String> names = RecordingFile.readAllEvents(file).stream()
                .map(event -> event.getEventType().getName())
                .collect(Collectors.toSet());
        assertTrue(names.contains(JDK_EVENT), names::toString);
        return names.stream()
                .filter(name -> name.startsWith("fibry."))
                .map(name -> name.substring("fibry.".length()))
                .filter(name -> !name.equals("CarrierHeld")) // depends on the load of the machine
                .collect(Collectors.toSet());
    }

    private static Map<String, String> settings(String file) throws Exception {
        try (InputStream in = resource(file)) {
            return new TreeMap<>(Configuration.create(new InputStreamReader(in, StandardCharsets.UTF_8))
                    .getSettings());
        }
    }

    /** In the root of the jar. */
    private static InputStream resource(String file) {
        return Objects.requireNonNull(Actor.class.getResourceAsStream("/" + file), file);
    }

    private static List<EventType> eventTypes() {
        return Stream.of(new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("io.fibry.flight"))
                .flatMap(classes -> classes.stream())
                .filter(type -> type.isAssignableTo(Event.class))
                .filter(type -> type.getModifiers().contains(JavaModifier.FINAL))
                .map(JavaClass::reflect)
                .map(type -> EventType.getEventType(type.asSubclass(Event.class)))
                .toList();
    }
}
