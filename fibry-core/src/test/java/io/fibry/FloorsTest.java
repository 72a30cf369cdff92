package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The floors of the kernel: no file refers to one on a floor above its own, and every file has its floor. A nested
 * class belongs to its file. ArchUnit sees no casts, so it does not find a reference that is only a cast.
 *
 * <p>Seen to fail: a Lifecycle that names ActorCell, Timers that name ActorSystem, a file without a floor, and a limit
 * below the largest cycle.
 */
class FloorsTest {

    /** The maximum number of files in one cycle of references: the current number. It may only decrease. */
    private static final int LARGEST_CYCLE = 32;

    /** The API, and files without dependencies on other floors. */
    private static final Set<String> WORDS = files("""
        Actor ActorExit ActorInfo ActorInterruptedException ActorStoppedException ActorSystemMXBean ActorTimer
        AskDeadlockException AskTimeoutException Asks Backoff BehaviorCancelledException Counters DeadLetter DirectCall DumpJson DumpText
        MailboxFullException Overflow ActorRef ReplyActor ReplyTo RestartLimit Sink StopMode StopPhase Strategies Supervision
        SystemDump SystemOptions ThreadStrategy ThrowingConsumer ThrowingFunction ThrowingRunnable BothCarriers
        ContextCarrier Incident MdcCarrier Measure Measured
        """);

    /** An actor without its behavior: its mailbox, its lifecycle, and files that depend only on these. */
    private static final Set<String> STATE = files("""
        ActorList ActorOptions ActorState Ancestry ChildMessages Children Circle CloseFromInside CloseGrace Closing
        DeferredReplies Envelope Extras Lifecycle Mailbox MailboxSpec MessageCounts MessageQueue Pause PendingWork Preload
        Registry Reply Reports RestartHistory Signal WaitCycles WaitingRoom Waits Watchers WorkSnapshot Contexts FlightLog
        Handling Incidents InstrumentedEnvelope Instruments SignalInContext TimedStop RoomFutures
        """);

    /** Optional parts of an actor's state, which depend only on that state. */
    private static final Set<String> STATE_ORGANS = files("""
        ActorLook AskTimeout Census DeadLetters Diagnosis InspectedSystem Inspection Jmx Link Pipes ReceiveTimeout
        SelectiveReceive Stash Timers Tracking Watching MessageAges Measurement
        """);

    /** A running actor in its system, and the builders of both. The largest cycle is on this floor. */
    private static final Set<String> CELL = files("""
        ActorBuilder ActorCell ActorContext ActorKind ActorSystem Admission AskSender CellContext ConsumerCell
        ConsumerContext DefaultSystem ExpectedActor Failures ForwardingActor FunctionCell FunctionContext KeepAlive
        LastTurn LocalSystem Names ReplyContext Restarts RunOnceCell Shutdown ShutdownHook SinkCell Stopping
        StuckReport SupervisedChild Supervisor SupervisorCell SupervisorSpec
        """);

    private static final List<Set<String>> FLOORS = List.of(WORDS, STATE, STATE_ORGANS, CELL);

    /** Of the cell's floor: files that operate on actors and do not depend on the builders. */
    private static final Set<String> ORGANS =
            files("Admission AskSender Failures LastTurn Restarts Shutdown Stopping StuckReport" + " Timers");

    /** The entry points that make actors. */
    private static final Set<String> ENTRIES =
            files("ActorBuilder ActorContext ActorSystem DefaultSystem ReplyContext Supervisor SupervisorSpec");

    private static final Map<String, Set<String>> REFERENCES = references();

    @Test
    void everyFileHasAFloor() {
        Set<String> known = FLOORS.stream().flatMap(Set::stream).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(REFERENCES.keySet(), known);
    }

    @Test
    void noFileRefersToAFloorAbove() {
        var upwards = new ArrayList<String>();
        for (int floor = 0; floor < FLOORS.size(); floor++) {
            for (Set<String> above : FLOORS.subList(floor + 1, FLOORS.size())) {
                upwards.addAll(between(FLOORS.get(floor), above));
            }
        }
        assertEquals(List.of(), upwards);
    }

    @Test
    void organsDoNotReferToTheEntries() {
        assertEquals(List.of(), between(ORGANS, ENTRIES));
    }

    @Test
    void cyclesOfFilesDoNotGrow() {
        Set<String> largest = Set.of();
        for (String file : REFERENCES.keySet()) {
            Set<String> cycle = cycleOf(file);
            largest = cycle.size() > largest.size() ? cycle : largest;
        }
        assertTrue(largest.size() <= LARGEST_CYCLE, largest.size() + " files refer to each other: " + largest);
    }

    private static List<String> between(Set<String> from, Set<String> to) {
        return from.stream()
                .flatMap(file -> REFERENCES.getOrDefault(file, Set.of()).stream()
                        .filter(to::contains)
                        .map(target -> file + " refers to " + target))
                .sorted()
                .toList();
    }

    /** The files that this one refers to, directly or indirectly, and that refer to it. */
    private static Set<String> cycleOf(String file) {
        Set<String> cycle = reachableFrom(file);
        cycle.removeIf(other -> !reachableFrom(other).contains(file));
        return cycle;
    }

    private static Set<String> reachableFrom(String file) {
        Set<String> seen = new TreeSet<>();
        var next = new ArrayList<>(List.of(file));
        while (!next.isEmpty()) {
            for (String target : REFERENCES.getOrDefault(next.removeLast(), Set.of())) {
                if (seen.add(target)) {
                    next.add(target);
                }
            }
        }
        return seen;
    }

    private static Map<String, Set<String>> references() {
        var classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.fibry");
        Map<String, Set<String>> references = new TreeMap<>();
        for (JavaClass c : classes) {
            if (isOfTheKernel(c)) {
                Set<String> targets = references.computeIfAbsent(file(c), f -> new HashSet<>());
                c.getDirectDependenciesFromSelf().stream()
                        .map(Dependency::getTargetClass)
                        .filter(FloorsTest::isOfTheKernel)
                        .map(FloorsTest::file)
                        .filter(target -> !target.equals(file(c)))
                        .forEach(targets::add);
            }
        }
        return references;
    }

    private static boolean isOfTheKernel(JavaClass c) {
        return c.getPackageName().equals("io.fibry")
                && !c.isArray()
                && !c.getName().endsWith("package-info");
    }

    private static String file(JavaClass c) {
        String name = c.getName().substring("io.fibry.".length());
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    private static Set<String> files(String names) {
        return Stream.of(names.strip().split("\\s+")).collect(Collectors.toUnmodifiableSet());
    }
}
