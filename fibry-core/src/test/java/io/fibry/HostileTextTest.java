package io.fibry;

import static io.fibry.testing.Hostile.TEXT;
import static io.fibry.testing.Hostile.assertPlain;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.Headers;
import io.fibry.http.HttpAccess;
import io.fibry.http.HttpRoutes;
import io.fibry.net.UdpOptions;
import io.fibry.net.UdpServer;
import io.fibry.schedule.Schedule;
import io.fibry.schedule.Timetable;
import io.fibry.sockets.CauseLog;
import io.fibry.sockets.ClientLog;
import io.fibry.state.StateMachine;
import io.fibry.state.StateMachineSpec;
import io.fibry.testing.Await;
import io.fibry.testing.FlightTape;
import io.fibry.testing.Gate;
import io.fibry.testing.Hostile;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import io.fibry.topic.LocalTopic;
import io.fibry.topic.TopicOptions;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names and texts of clients bring no control characters into exceptions, logs, dumps and events.
 * {@link LogForgingTest} covers the log of the kernel and the text of a dump.
 *
 * <p>Seen to fail: each test without the escaping in its place.
 */
class HostileTextTest extends KernelTest {

    // ---- exceptions

    private static void assertPlainMessages(List<? extends Throwable> failures) {
        failures.forEach(failure -> assertPlain(String.valueOf(failure.getMessage())));
    }

    @Test
    void messagesOfRefusals() {
        List<Throwable> failures = new ArrayList<>();
        Actor<String> actor = system.actor(TEXT).newActor(m -> {});
        failures.add(assertThrows(
                IllegalStateException.class, () -> system.actor(TEXT).newActor(m -> {})));
        actor.close();
        failures.add(assertThrows(ActorStoppedException.class, () -> actor.tell("late")));
        var gate = new Gate();
        Actor<String> full = system.actor(TEXT).bounded(1, Overflow.FAIL).newActor(m -> gate.pass());
        full.tell("runs");
        gate.awaitReached();
        full.tell("waits");
        failures.add(assertThrows(MailboxFullException.class, () -> full.tell("refused")));
        gate.open();
        assertPlainMessages(failures);
    }

    @Test
    void messagesOfAsks() {
        List<Throwable> failures = new ArrayList<>();
        ReplyActor<String, String> silent = system.actor(TEXT).newActorWithReturnFrom(context -> message -> {
            context.deferReply();
            return message;
        });
        failures.add(assertThrows(
                        CompletionException.class,
                        () -> silent.ask("a", Duration.ofMillis(1)).join())
                .getCause());
        var asked = new AtomicReference<ReplyActor<String, String>>();
        ReplyActor<String, String> self = system.actor("self" + TEXT).newActorWithReturnFrom(context -> message -> {
            return asked.get().ask(message).join();
        });
        asked.set(self);
        failures.add(assertThrows(CompletionException.class, () -> self.ask("a").join())
                .getCause());
        assertPlainMessages(failures);
    }

    @Test
    void messagesOfOtherComponents() {
        List<Throwable> failures = new ArrayList<>();
        failures.add(assertThrows(
                IllegalArgumentException.class, () -> HttpRoutes.none().get("no slash" + TEXT, exchange -> "")));
        failures.add(assertThrows(
                IllegalArgumentException.class, () -> HttpRoutes.none().header(TEXT, "value")));
        failures.add(assertThrows(
                IllegalArgumentException.class,
                () -> SupervisorSpec.oneForOne()
                        .child(TEXT, SupervisorSpec.Restart.PERMANENT, builder -> builder.newActor(m -> {}))
                        .child(TEXT, SupervisorSpec.Restart.PERMANENT, builder -> builder.newActor(m -> {}))));
        assertPlainMessages(failures);
    }

    @Test
    void messagesOfStateMachines() {
        var spec = StateMachineSpec.<String, String>startingIn("off" + TEXT).on("off" + TEXT, "push", "on");
        StateMachine<String, String> machine = StateMachine.start(system.actor(TEXT), spec);
        try (var log = new LogLines()) {
            machine.tell("pull");
            Await.until(
                    "the failure is logged", () -> !log.with("refuses event").isEmpty());
            Hostile.assertPlainLines(log, "refuses event");
        }
    }

    // ---- logs

    @Test
    void linesOfATopic() {
        LocalTopic<Integer> topic = LocalTopic.start(system.actor(TEXT), TopicOptions.defaults());
        var gate = new Gate();
        Actor<Integer> slow = system.actor("s" + TEXT).bounded(1, Overflow.FAIL).newActor(n -> gate.pass());
        topic.subscribe(slow);
        try (var log = new LogLines()) {
            topic.publish(1);
            gate.awaitReached();
            topic.publish(2);
            topic.publish(3);
            Await.until(
                    "the miss is logged",
                    () -> !log.with("has missed a message").isEmpty());
            Hostile.assertPlainLines(log, "has missed a message");
        }
        gate.open();
        topic.close();
    }

    @Test
    void linesOfASchedule() {
        var gate = new CountDownLatch(1);
        try (var log = new LogLines()) {
            Actor<Void> schedule = Schedule.start(
                    system.actor(TEXT).strategy(ThreadStrategy.virtual()),
                    gate::await,
                    Timetable.atFixedRate(Duration.ofDays(1)).reportAfter(Duration.ofMillis(1)));
            Await.until(
                    "the run is reported",
                    () -> !log.with("has taken longer than").isEmpty());
            Hostile.assertPlainLines(log, "has taken longer than");
            gate.countDown();
            schedule.close();
        }
    }

    @Test
    void linesOfAServer() throws Exception {
        UdpServer server = UdpServer.start(
                system.actor(TEXT).strategy(ThreadStrategy.virtual()),
                0,
                (datagram, socket) -> {
                    throw new IllegalStateException("wrong");
                },
                UdpOptions.defaults());
        try (var log = new LogLines();
                var client = new DatagramSocket()) {
            client.send(new DatagramPacket(
                    new byte[] {1}, 1, new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port())));
            Await.until(
                    "the failure is logged",
                    () -> !log.with("failed to handle a datagram").isEmpty());
            Hostile.assertPlainLines(log, "failed to handle a datagram");
        }
        server.close();
    }

    @Test
    void linesAboutClients() {
        Logger logger = LoggerFactory.getLogger(HostileTextTest.class);
        try (var log = new LogLines()) {
            new ClientLog(logger).info(TEXT, ": the client of " + TEXT + " has left");
            Hostile.assertPlainLines(log, "has left");
            var causes = new CauseLog(logger);
            causes.warn("a " + TEXT, new IllegalStateException("first" + TEXT));
            Hostile.assertPlainLines(log, "first");
            causes.error("b " + TEXT + " has failed", new IllegalArgumentException("second"));
            Hostile.assertPlainLines(log, "has failed");
        }
    }

    /** Loggers print the name of the thread, too. */
    @Test
    void aThread() {
        ReplyActor<String, String> asked = system.actor("t" + TEXT)
                .strategy(ThreadStrategy.platform())
                .newActorWithReturn(m -> Thread.currentThread().getName());
        assertPlain(Await.value(asked.ask("name")));
    }

    // ---- access log, dumps, events

    @Test
    void anAccess() {
        var headers = new Headers();
        headers.add("Cookie", "a=b");
        var access = new HttpAccess(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                Instant.EPOCH,
                Duration.ZERO,
                "GET" + TEXT,
                "/" + TEXT,
                "/" + TEXT,
                "HTTP/1.1" + TEXT,
                headers,
                200,
                0);
        assertPlain(access.toString());
        String line = access.toCommonLog(ZoneOffset.UTC);
        assertTrue(line.chars().allMatch(c -> c >= ' ' && c <= '~'), line);
    }

    /** Escapes of JSON: a parser of JSON returns the original names. */
    @Test
    void aDumpAsJson() {
        Actor<String> unused = system.actor(TEXT + "\ufeff\u2066\ud800").newActor(m -> {});
        assertPlain(
                system.dump().toJson() + system.actors().map(ActorInfo::toJson).toList());
        String json = system.actors().map(ActorInfo::toJson).toList().toString();
        assertPlain(json);
        assertTrue(json.chars().allMatch(c -> c >= ' ' && c <= '~'), json);
    }

    @Test
    void events() throws Exception {
        try (var tape = new FlightTape()) {
            ReplyActor<String, String> actor = system.actor(TEXT).newActorWithReturn(message -> {
                throw new IllegalStateException(TEXT);
            });
            Actor<String> asker = system.actor("asker" + TEXT).newActor(m -> {
                try {
                    actor.ask(m).join();
                } catch (CompletionException e) {
                    return;
                }
            });
            asker.tell("a");
            asker.close();
            actor.close();
            String name = "x\\u000d\\u000a\\u0009\\u001b[31m\\u2028\\u202e\\u0000\\u0085[main] ERROR forged";
            assertEquals(name, tape.events("ActorFailure", name).getFirst().getString("thrownMessage"));
            assertEquals("asker" + name, tape.events("Ask", name).getFirst().getString("asker"));
            assertTrue(tape.events("ActorEnd", TEXT).isEmpty());
        }
    }
}
