package io.fibry.bench.hunt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.bench.Output;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The hunt runs, finds injected faults, and shrinks them. */
@Timeout(300)
class HuntTest {

    /** Injects the loss of an accepted message, in an actor that refuses messages if its mailbox is full. */
    private static final Plant LOSES_A_MESSAGE = (world, handle, message) -> message.act == Act.SLEEP
            && world.program.isSingle(handle.index())
            && world.program.traits(handle.index()).contains(Trait.FAIL);

    /** Each trial that loses a message takes a quarter of this time. */
    private static final Duration SHORT_PATIENCE = Duration.ofSeconds(8);

    private static HuntOptions options(String... args) {
        HuntOptions options = HuntOptions.of(args);
        options.from = 1;
        return options;
    }

    @Test
    void theProgramsOfTheHuntRun() throws Exception {
        String output = Output.of(() -> {
            HuntOptions options = options("--seconds", "2", "--shrink", "0", "--patience", "60");
            assertTrue(Hunt.run(options));
        });
        assertTrue(output.matches("(?s)Java .*[\\d,]+ systems in [\\d.]+ s\\n"), output);
    }

    @Test
    void aPlantedFaultIsFoundAndShrunk() throws Exception {
        HuntOptions options = options("--seconds", "120", "--patience", "40");
        var hunter = new Hunter(options, LOSES_A_MESSAGE, Generator::program);
        Finding finding = hunter.run().orElseThrow();
        assertEquals("lost message", finding.problem().kind());

        Program smallest = new Shrinker(finding.program(), HuntTest::fails).shrink();
        String listing = Listing.of(smallest);
        assertTrue(
                smallest.kept().cardinality() <= 4, listing); // the actor, its limit, perhaps its name, and the message
        assertTrue(listing.contains(".bounded(2, FAIL)."), listing);
        assertTrue(listing.contains("SLEEP"), listing);
        assertTrue(listing.contains("--seed " + smallest.seed() + " --keep " + smallest.keptText() + "\""), listing);
    }

    private static boolean fails(Program program) {
        try {
            for (int i = 0; i < 5; i++) {
                if (Trial.run(program, LOSES_A_MESSAGE, SHORT_PATIENCE).problems().stream()
                        .anyMatch(problem -> problem.kind().equals("lost message"))) {
                    return true;
                }
            }
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aHangIsFoundAndDescribed() throws Exception {
        var release = new CountDownLatch(1);
        Plant hangs = (world, handle, message) -> {
            try {
                return !release.await(1, TimeUnit.DAYS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        Program program =
                program(new Step.Start(Step.SETUP, 0, Kind.ACTOR), new Step.Op(0, Verb.TELL, 0, Act.NOTHING, 1));
        Trial.Outcome outcome;
        try (ActorSystem system = ActorSystem.create()) {
            Actor<CountDownLatch> blocked =
                    system.actor().strategy(ThreadStrategy.virtual()).newActor(CountDownLatch::await);
            blocked.tell(release);
            outcome = Trial.run(program, hangs, Duration.ofSeconds(2));
            release.countDown();
        }
        Problem problem = outcome.problems().getFirst();
        assertEquals(Problem.HANG, problem.kind());
        assertTrue(problem.text().contains("0 actors"), problem.text());
        assertTrue(problem.text().contains("strand 0 TIMED_WAITING"), problem.text());
        assertTrue(problem.text().contains("io.fibry.bench.hunt.World.send"), problem.text());
        assertTrue(problem.text().contains("virtual fibry-worker"), problem.text());
    }

    @Test
    void aSystemThatIsStillReferredToIsALeak() throws Exception {
        Program program = program(new Step.Start(Step.SETUP, 0, Kind.ACTOR));
        var leaks = new Leaks();
        Trial.Outcome outcome = Trial.run(program, Plant.NONE, Duration.ofSeconds(60));
        assertEquals(List.of(), outcome.problems());
        leaks.add(outcome.world());
        assertEquals(
                "leak", leaks.look(Duration.ofMillis(1)).orElseThrow().problem().kind());
        assertEquals(0, outcome.world().ledger.messages.size()); // keeps the reference until here
    }

    @Test
    void aProgramIsReadFromItsSeedAndItsSteps() {
        Program program = Generator.program(42);
        assertEquals(program.all(), Generator.program(42).all());
        var kept = new BitSet();
        kept.set(0);
        kept.set(2);
        assertEquals(program.keep(kept), Generator.program(42).keep("0,2"));
        var tooFar = assertThrows(IllegalArgumentException.class, () -> program.keep("10000"));
        assertTrue(tooFar.getMessage().contains("no step 10000"), tooFar.getMessage());
    }

    @Test
    void aWrongOptionIsRefused() {
        var unknown = assertThrows(IllegalArgumentException.class, () -> HuntOptions.of("--second", "1"));
        assertTrue(unknown.getMessage().startsWith("There is no option --second:"), unknown.getMessage());
        var single = assertThrows(IllegalArgumentException.class, () -> HuntOptions.of("--seconds"));
        assertTrue(single.getMessage().startsWith("Each option has a value:"), single.getMessage());
    }

    private static Program program(Step... steps) {
        List<Step> all = List.of(steps);
        return new Program(0, all, Program.range(all.size()), Duration.ofSeconds(10), Duration.ofSeconds(1));
    }
}
