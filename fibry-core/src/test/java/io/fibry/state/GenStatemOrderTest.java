package io.fibry.state;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.NoLeftovers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/** The rules of order of {@code gen_statem} in Erlang/OTP, one test each. */
@ExtendWith(NoLeftovers.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class GenStatemOrderTest {

    private enum S {
        A,
        B,
        C
    }

    private sealed interface E permits Go, Back, Jump, Note, Late {}

    private record Go() implements E {}

    private record Back() implements E {}

    /** Makes state B reachable in each machine. */
    private record Jump() implements E {}

    private record Note(String text) implements E {}

    private record Late(String text) implements E {}

    private final ActorSystem system = ActorSystem.create();
    private final List<String> seen = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        system.close();
    }

    private StateMachine<S, E> start(ThreadStrategy strategy, StateMachineSpec<S, E> spec) {
        return StateMachine.start(system.actor().strategy(strategy), spec);
    }

    private StateMachineSpec<S, E> spec() {
        return StateMachineSpec.<S, E>startingIn(S.A)
                .on(S.A, new Jump(), S.B)
                .on(S.A, Note.class, S.A, (note, context) -> seen.add("A " + note.text()))
                .on(S.B, Note.class, S.B, (note, context) -> seen.add("B " + note.text()))
                .on(S.B, Late.class, S.B, (late, context) -> seen.add("B late " + late.text()));
    }

    private void awaitSeen(String... expected) {
        await().atMost(Duration.ofSeconds(30)).until(() -> seen.size() >= expected.length);
        assertEquals(List.of(expected), seen);
    }

    /** Makes the machine wait, so the next events are present before it continues. */
    private static CountDownLatch hold(StateMachine<S, E> machine) {
        var go = new CountDownLatch(1);
        machine.execute(() -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        return go;
    }

    @AllStrategies(direct = true)
    void theEntryOfTheInitialStateComesBeforeAllEvents(ThreadStrategy strategy) {
        var machine = start(strategy, spec().onEntry(S.A, context -> seen.add("enter " + context.state())));
        machine.tell(new Note("1"));
        awaitSeen("enter A", "A 1");
    }

    @AllStrategies(direct = true)
    void theActionRunsInTheOldStateThenExitThenEntry(ThreadStrategy strategy) {
        var machine = start(
                strategy,
                spec().on(S.A, Go.class, S.B, (go, context) -> seen.add("action in " + context.state()))
                        .onExit(S.A, context -> seen.add("exit in " + context.state()))
                        .onEntry(S.B, context -> seen.add("enter in " + context.state())));
        machine.tell(new Go());
        machine.tell(new Note("1"));
        awaitSeen("action in A", "exit in A", "enter in B", "B 1");
    }

    @AllStrategies(direct = true)
    void theSameStateIsNotAChange(ThreadStrategy strategy) {
        var machine = start(
                strategy,
                spec().postpone(S.A, Late.class)
                        .onEntry(S.A, context -> seen.add("enter A"))
                        .onExit(S.A, context -> seen.add("exit A"))
                        .on(S.A, Back.class, S.A, (back, context) -> seen.add("same"))
                        .on(S.A, Go.class, S.B));
        machine.tell(new Late("1"));
        machine.tell(new Back()); // neither exit nor entry, and the postponed event stays postponed
        machine.tell(new Note("2"));
        machine.tell(new Go());
        awaitSeen("enter A", "same", "A 2", "exit A", "B late 1");
    }

    @AllStrategies
    void postponedEventsPrecedeWaitingOnesOldestFirst(ThreadStrategy strategy) {
        var machine = start(strategy, spec().postpone(S.A, Late.class).on(S.A, Go.class, S.B));
        CountDownLatch go = hold(machine);
        machine.tell(new Late("1"));
        machine.tell(new Late("2"));
        machine.tell(new Go());
        machine.tell(new Note("3"));
        machine.tell(new Late("4"));
        go.countDown();
        awaitSeen("B late 1", "B late 2", "B 3", "B late 4");
    }

    @AllStrategies
    void anEventThatIsPostponedAgainKeepsItsPlace(ThreadStrategy strategy) {
        var machine = start(
                strategy,
                spec().postpone(S.A, Late.class)
                        .on(S.A, Go.class, S.C)
                        .postpone(S.C, Late.class)
                        .on(S.C, Go.class, S.B));
        CountDownLatch go = hold(machine);
        machine.tell(new Late("1"));
        machine.tell(new Go());
        machine.tell(new Late("2"));
        machine.tell(new Go());
        machine.tell(new Note("3"));
        go.countDown();
        awaitSeen("B late 1", "B late 2", "B 3");
    }

    @AllStrategies
    void raisedEventsComeBeforePostponedOnesInTheirOrder(ThreadStrategy strategy) {
        var machine = start(strategy, spec().postpone(S.A, Late.class).on(S.A, Go.class, S.B, (go, context) -> {
            context.raise(new Note("raised 1"));
            context.raise(new Note("raised 2"));
        }));
        CountDownLatch go = hold(machine);
        machine.tell(new Late("1"));
        machine.tell(new Go());
        machine.tell(new Note("waits"));
        go.countDown();
        awaitSeen("B raised 1", "B raised 2", "B late 1", "B waits");
    }

    @AllStrategies(direct = true)
    void eventsRaisedByARaisedEventPrecedeOtherRaisedOnes(ThreadStrategy strategy) {
        var machine = start(
                strategy,
                spec().on(S.A, Go.class, S.A, (go, context) -> {
                            context.raise(new Back());
                            context.raise(new Note("2"));
                        })
                        .on(S.A, Back.class, S.A, (back, context) -> context.raise(new Note("1"))));
        machine.tell(new Go());
        awaitSeen("A 1", "A 2");
    }

    @AllStrategies(direct = true)
    void raisedEventsHaveTheOrderOfTheActions(ThreadStrategy strategy) {
        var machine = start(
                strategy,
                spec().on(S.A, Go.class, S.B, (go, context) -> context.raise(new Note("by the action")))
                        .onExit(S.A, context -> context.raise(new Note("by the exit")))
                        .onEntry(S.B, context -> context.raise(new Note("by the entry"))));
        machine.tell(new Go());
        awaitSeen("B by the action", "B by the exit", "B by the entry");
    }

    @AllStrategies(direct = true)
    void aRaisedEventCanBePostponed(ThreadStrategy strategy) {
        var machine = start(
                strategy,
                spec().postpone(S.A, Late.class)
                        .on(S.A, Back.class, S.A, (back, context) -> context.raise(new Late("1")))
                        .on(S.A, Go.class, S.B));
        machine.tell(new Back());
        machine.tell(new Note("2"));
        machine.tell(new Go());
        machine.tell(new Note("3"));
        awaitSeen("A 2", "B late 1", "B 3");
    }

    /** The limit has expired and waits, behind the event that leaves the state. */
    @AllStrategies
    void aLimitThatExpiresWhileItsStateIsLeftHasNoEffect(ThreadStrategy strategy) {
        for (int i = 0; i < 50; i++) {
            seen.clear();
            var machine = start(
                    strategy,
                    spec().timeout(S.A, Duration.ofNanos(500_001), S.C)
                            .on(S.A, Go.class, S.B)
                            .ignore(S.C, Go.class)
                            .on(S.C, Note.class, S.C, (note, context) -> seen.add("C " + note.text()))
                            .onEntry(S.C, context -> seen.add("enter C")));
            machine.tell(new Go());
            machine.tell(new Note("1"));
            machine.close();
            assertEquals(machine.state() == S.B ? List.of("B 1") : List.of("enter C", "C 1"), seen);
        }
    }

    @AllStrategies(direct = true)
    void theLimitContinuesWhenTheStateStaysTheSame(ThreadStrategy strategy) {
        var machine = start(
                strategy,
                spec().timeout(S.A, Duration.ofMillis(20), S.C)
                        .ignore(S.C, Note.class)
                        .onEntry(S.C, context -> seen.add("enter C")));
        await().pollInterval(Duration.ofMillis(1))
                .atMost(Duration.ofSeconds(30))
                .until(() -> {
                    machine.tell(new Note("keeps it busy"));
                    return seen.contains("enter C");
                });
    }

    @AllStrategies(direct = true)
    void aLimitBeginsWhenItsStateIsEntered(ThreadStrategy strategy) {
        var machine = start(
                strategy,
                spec().on(S.A, Go.class, S.B)
                        .timeout(S.A, Duration.ofDays(1), S.C)
                        .timeout(S.B, Duration.ofMillis(1), S.C)
                        .onEntry(S.C, context -> seen.add("enter C")));
        machine.tell(new Go());
        awaitSeen("enter C");
        assertEquals(S.C, machine.state());
    }
}
