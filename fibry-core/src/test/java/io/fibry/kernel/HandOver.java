package io.fibry.kernel;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.fibry.StopMode;
import io.fibry.StopPhase;
import io.fibry.Supervision;
import io.fibry.dispatch.ActorThread;
import io.fibry.dispatch.Dispatcher;
import io.fibry.dispatch.ScheduledActor;
import io.fibry.flight.PlainText;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuarantee;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;
import org.jspecify.annotations.Nullable;

/**
 * One actor under the interleavings of small scenarios: its stops, and its turns, which run when the scenario decides.
 * A subclass makes the actor, defines the messages sent to it, and checks the end.
 */
public abstract class HandOver {

    private static final int INTERLEAVINGS = 100;

    /**
     * Escaping reads each character of a text, which the checker would take for a loop without an end. It shares no
     * state.
     */
    static final ManagedStrategyGuarantee PLAIN_TEXT =
            forClasses(PlainText.class.getName()).allMethods().ignore();

    static final LocalSystem SYSTEM = DetachedSystems.system();

    static {
        SYSTEM.onDeadLetter(letter -> {}); // a log line has more steps than all the rest
    }

    /** The consumer roles that wait for a thread; never more than one. */
    private final AtomicInteger roles = new AtomicInteger();

    private volatile @Nullable String broken;

    private final long droppedBefore = SYSTEM.counts().dropped.sum();

    final ActorKind kind = new ActorKind(
            SYSTEM,
            new Dispatcher() {
                @Override
                public void ready(ScheduledActor actor) {
                    roles.incrementAndGet();
                }
            },
            Supervision.resume());

    HandOver() {}

    abstract ActorCell<?> actor();

    /** Called by the thread that runs the turn. */
    void turnBegins() {}

    @Operation
    public void drain() {
        actor().stop(StopMode.DRAIN);
    }

    @Operation
    public void discard() {
        actor().stop(StopMode.DISCARD);
    }

    @Operation
    public void turn() {
        int available = roles.get();
        expect(available <= 1, "one consumer's role");
        if (available == 1 && roles.compareAndSet(1, 0)) {
            turnBegins();
            if (actor().runTurn(new ActorThread(Thread.currentThread()), null)) {
                roles.incrementAndGet();
            }
        }
    }

    /** Records violated conditions; exceptions of an operation or a behavior are irrelevant here. */
    final void expect(boolean holds, String what) {
        if (!holds) {
            broken = what;
        }
    }

    /** Runs the last turn; after it, a stopped actor has ended. */
    final void finish() {
        turn();
        assertNull(broken);
        assertEquals(actor().isClosed(), actor().hasEnded());
    }

    final long dropped() {
        return SYSTEM.counts().dropped.sum() - droppedBefore;
    }

    static ActorOptions mailbox(MailboxSpec mailbox) {
        return new ActorOptions(null, StopPhase.ACTORS, null, null, mailbox);
    }

    /**
     * Checks scenarios of two or three threads, with 100 interleavings each. Most errors need two or three operations,
     * so small scenarios find them soon. Operations before {@code >} complete before the threads start.
     */
    static void check(Class<? extends HandOver> kind, String... scenarios) {
        var options = new ModelCheckingOptions()
                .iterations(0)
                .invocationsPerIteration(INTERLEAVINGS)
                .addGuarantee(PLAIN_TEXT)
                .verifier(EpsilonVerifier.class);
        for (String scenario : scenarios) {
            options.addCustomScenario(scenario(kind, scenario));
        }
        options.check(kind);
    }

    private static ExecutionScenario scenario(Class<?> kind, String text) {
        int parallel = text.indexOf(" > ");
        List<Actor> before = parallel < 0 ? List.of() : operations(kind, text.substring(0, parallel));
        List<List<Actor>> threads = Stream.of(
                        text.substring(parallel < 0 ? 0 : parallel + 3).split(" \\| ", -1))
                .map(thread -> operations(kind, thread))
                .toList();
        return new ExecutionScenario(before, threads, List.of(), validation(kind));
    }

    private static List<Actor> operations(Class<?> kind, String names) {
        return Stream.of(names.split(" ", -1))
                .map(name -> operation(kind, name))
                .toList();
    }

    private static Actor operation(Class<?> kind, String name) {
        boolean tells = name.equals("tell") || name.equals("urgent");
        int urgency = name.equals("urgent") ? MessageHandOver.URGENT : MessageHandOver.URGENT + 1;
        Method method = method(kind, m -> m.getName().equals(tells ? "tell" : name));
        return new Actor(method, tells ? List.of(urgency) : List.of());
    }

    private static Actor validation(Class<?> kind) {
        return new Actor(method(kind, m -> m.isAnnotationPresent(Validate.class)), List.of());
    }

    private static Method method(Class<?> kind, Predicate<Method> which) {
        return Stream.of(kind.getMethods()).filter(which).findFirst().orElseThrow();
    }
}
