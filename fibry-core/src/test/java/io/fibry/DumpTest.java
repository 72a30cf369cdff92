package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The content of a dump about stuck actors, which has to be exact. */
class DumpTest extends KernelTest {

    private static final Duration LONG = Duration.ofDays(1);

    private ActorInfo info(String name) {
        return system.actors()
                .filter(actor -> actor.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @AllStrategies
    void aRunningActorIsListedWithItsMessageAndItsStack(ThreadStrategy strategy) {
        var gate = new Gate();
        Actor<String> orders = system.actor("orders").strategy(strategy).newActor(message -> gate.pass());
        orders.tell("first");
        gate.awaitReached();
        orders.tell("second");
        orders.execute(() -> {});
        ActorInfo info = info("orders");
        assertEquals(ActorInfo.State.RUNNING, info.state());
        assertEquals("java.lang.String", info.message());
        assertEquals(2, info.mailboxSize());
        assertEquals(0, info.handled());
        assertNull(info.waitsFor());
        assertEquals("lambda in " + DumpTest.class.getName(), info.behavior());
        assertTrue(info.stack().stream().anyMatch(f -> f.getMethodName().equals("pass")), info::toString);
        Await.until("time passes", () -> !system.stuck(Duration.ofMillis(20)).isEmpty());
        assertEquals(List.of("orders"), names(system.stuck(Duration.ofMillis(20))));
        assertEquals(List.of(), system.stuck(LONG));
        SystemDump dump = system.dump();
        assertEquals(List.of("orders"), names(dump.longestRunning()));
        assertTrue(dump.totals().longestRunning().toMillis() > 10, dump::toString);
        assertEquals(1, dump.totals().running());
        assertEquals(2, dump.totals().mailboxSizes());
        assertTrue(dump.toString().contains("orders: running for "), dump::toString);
        assertTrue(dump.toString().contains("io.fibry.testing.Gate.pass("), dump::toString);
        gate.open();
        Await.until("it is idle", () -> info("orders").state() == ActorInfo.State.IDLE);
        assertEquals(3, info("orders").handled());
        assertEquals(List.of(), info("orders").stack());
        assertNull(info("orders").message());
    }

    private static List<String> names(List<ActorInfo> actors) {
        return actors.stream().map(ActorInfo::name).toList();
    }

    @AllStrategies
    void waitingActorsAreListedWithTheirTargets(ThreadStrategy strategy) {
        var gate = new Gate();
        ReplyActor<Integer, Integer> slow = system.actor("slow")
                .strategy(strategy)
                .bounded(1, Overflow.BLOCK)
                .newActorWithReturn(n -> {
                    gate.pass();
                    return n;
                });
        slow.tell(1);
        gate.awaitReached();
        Actor<Integer> asker = system.actor("asker")
                .strategy(strategy)
                .newActor(n -> slow.ask(n).join());
        Actor<Integer> patient = system.actor("patient")
                .strategy(strategy)
                .newActor(n -> slow.ask(n, LONG).get());
        Actor<Integer> sender = system.actor("sender").strategy(strategy).newActor(slow::tell);
        Actor<Integer> waiter = system.actor("waiter").strategy(strategy).newActor(n -> slow.waitForExit());
        asker.tell(1);
        Await.until("its ask fills the mailbox", () -> slow.mailboxSize().orElseThrow() == 1);
        sender.tell(1);
        patient.tell(1);
        waiter.tell(1);
        awaitState("asker", ActorInfo.State.WAITS_FOR_REPLY);
        awaitState("sender", ActorInfo.State.WAITS_FOR_ROOM);
        awaitState("patient", ActorInfo.State.WAITS_FOR_ROOM);
        awaitState("waiter", ActorInfo.State.WAITS_FOR_EXIT);
        assertEquals(4, system.dump().totals().waiting());
        assertTrue(system.dump().toString().contains("asker: waits for a reply of slow, running"));
        gate.open();
        awaitState("patient", ActorInfo.State.IDLE);
        slow.stop();
        awaitState("waiter", ActorInfo.State.IDLE);
        assertNull(info("waiter").waitsFor());
    }

    private void awaitState(String name, ActorInfo.State state) {
        Await.until(name + " is " + state, () -> info(name).state() == state);
        if (state != ActorInfo.State.IDLE) {
            assertEquals("slow", info(name).waitsFor());
        }
    }

    /** The asked actor runs on the stack of its asker. Both are listed. */
    @Test
    void actorsOnOneStackAreListed() {
        var gate = new Gate();
        ReplyActor<Integer, Integer> inner = system.actor("inner").newActorWithReturn(n -> {
            gate.pass();
            return n;
        });
        ReplyActor<Integer, Integer> outer =
                system.actor("outer").newActorWithReturn(n -> inner.ask(n).join());
        outer.tell(1);
        gate.awaitReached();
        Await.until("it waits", () -> info("outer").state() == ActorInfo.State.WAITS_FOR_REPLY);
        assertEquals("inner", info("outer").waitsFor());
        assertEquals(ActorInfo.State.RUNNING, info("inner").state());
        assertTrue(hasFrame("inner", "pass"));
        assertFalse(hasFrame("outer", "pass"));
        assertTrue(hasFrame("outer", "join"));
        assertTrue(system.dump().toString().contains("outer: waits for a reply of inner, running"));
        gate.open();
    }

    private boolean hasFrame(String name, String method) {
        return info(name).stack().stream().anyMatch(f -> f.getMethodName().equals(method));
    }

    @Test
    void childrenRestartsAndStopsAreListed() {
        var gate = new Gate();
        Actor<String> parent = system.actor("parent").newActor(message -> {});
        Actor<String> child = system.actor("child")
                .childOf(parent)
                .supervision(Supervision.restart())
                .newActorFrom(context -> message -> {
                    throw new IllegalStateException("meant to fail");
                });
        child.tell("fails");
        child.tell("fails");
        Await.until("it was restarted", () -> info("child").restarts() == 2);
        assertEquals(2, info("child").failures());
        assertEquals("parent", info("child").parent());
        assertEquals(1, info("parent").children());
        assertEquals(2, system.dump().totals().restarts());
        assertEquals(List.of("child"), names(system.dump().mostRestarted()));
        Actor<String> busy = system.actor("busy").childOf(parent).newActor(message -> gate.pass());
        busy.tell("works");
        gate.awaitReached();
        busy.tell("waits");
        parent.stop();
        Await.until("the parent waits", () -> info("parent").state() == ActorInfo.State.STOPPING);
        Await.until("the child is stopped", () -> info("busy").stopping() == StopMode.DRAIN);
        assertEquals(1, info("busy").mailboxSize());
        gate.open();
        Await.end(parent);
        assertEquals(0, system.dump().totals().actors());
    }

    @Test
    void aPausedActorIsListed() {
        Actor<String> actor = system.actor("paused")
                .supervision(Supervision.restart().backoff(LONG, LONG))
                .newActorFrom(context -> message -> {
                    throw new IllegalStateException("meant to fail");
                });
        actor.tell("fails");
        Await.until("it pauses", () -> info("paused").state() == ActorInfo.State.PAUSED);
        actor.tell("waits");
        assertEquals(1, info("paused").mailboxSize());
        assertEquals(1, system.dump().totals().paused());
        actor.stop(StopMode.DISCARD);
    }

    @Test
    void theWorstAreListedFirstUpToAHundred() {
        var gate = new CompletableFuture<Void>();
        for (int i = 1; i <= 150; i++) {
            Actor<Integer> actor = system.actor("actor " + i).newActor(n -> gate.join());
            for (int n = 0; n <= i; n++) {
                actor.tell(n);
            }
        }
        Await.until("all are running", () -> system.dump().totals().running() == 150);
        SystemDump dump = system.dump();
        assertEquals(100, dump.fullest().size());
        assertEquals("actor 150", dump.fullest().getFirst().name());
        assertEquals(150, dump.fullest().getFirst().mailboxSize());
        assertEquals(51, dump.fullest().getLast().mailboxSize());
        assertEquals(100, dump.longestRunning().size());
        assertEquals(150, dump.totals().actors());
        gate.complete(null);
    }

    /** Values that need not be known are reported as missing, not as zero. */
    @Test
    void aSystemReportsUnknownValuesAsMissing() {
        var idle = system.actor().newSink(null);
        SystemDump dump = system.dump();
        assertFalse(dump.tracked());
        assertEquals(0, dump.totals().actors());
        assertTrue(dump.toString().contains("not counted: idle actors"), dump::toString);
        idle.stop();
    }

    @Test
    void hostileNamesAreEscaped() {
        system.actor("a\nb\"<script>\\\u0007\u2028</script>").newSink(null);
        String json = system.actors().findFirst().orElseThrow().toJson();
        assertTrue(
                json.contains("\"name\":\"a\\u000ab\\\"\\u003cscript\\u003e\\\\\\u0007\\u2028\\u003c/script\\u003e\""),
                json);
        assertFalse(json.contains("\n"), json);
        assertTrue(
                system.actors()
                        .findFirst()
                        .orElseThrow()
                        .toString()
                        .startsWith("a\\u000ab\"<script>\\\\u0007\\u2028</script>"),
                () -> system.dump().toString());
    }

    @Test
    void jsonHasTheSameContent() {
        Actor<String> parent = system.actor("parent").newActor(message -> {});
        system.actor("child").childOf(parent).newSink(null);
        String json = system.dump().toJson();
        assertTrue(json.startsWith("{\"system\":\"actors\",\"time\":\""), json);
        assertTrue(json.contains("\"tracked\":false,\"totals\":{\"actors\":2,\"idle\":2,\"ready\":0,"), json);
        String none = "\"handled\":0,\"handledBySource\":{\"sent\":0,\"timers\":0,\"piped\":0,\"internal\":0},";
        assertTrue(json.contains("\"counters\":{" + none + "\"refused\":0,\"dropped\":0,\"dead\":0}"), json);
        assertTrue(json.endsWith("\"longestRunning\":[],\"fullest\":[],\"mostRestarted\":[]}"), json);
        ActorInfo child = info("child");
        assertEquals(
                "{\"id\":\"" + child.id()
                        + "\",\"name\":\"child\",\"behavior\":\"io.fibry.Sink\",\"parent\":\"parent\","
                        + "\"strategy\":\"virtual\",\"state\":\"IDLE\",\"waitsFor\":null,\"stopping\":null,\"mailboxSize\":0,"
                        + "\"message\":null,\"runningFor\":0.000," + none
                        + "\"failures\":0,\"restarts\":0,\"children\":0,\"stack\":[]}",
                child.toJson());
    }

    @Test
    void aSystemPrintsAsItsName() {
        try (var shop = ActorSystem.create(SystemOptions.defaults().name("shop"))) {
            assertEquals("shop", shop.name());
            assertEquals("shop", shop.toString());
            assertEquals("shop", shop.dump().system());
        }
        assertEquals("actors", system.name());
    }
}
