package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.fibry.stereotypes.Stereotypes;
import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import io.fibry.testing.LogLines;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Checked exceptions of behaviors are treated as unchecked ones. */
class CheckedExceptionTest extends KernelTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final IOException broken = new IOException("broken pipe");

    @AllStrategies(direct = true)
    void theAskerGetsTheIdenticalExceptionWithoutALogLine(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            ReplyActor<String, String> plain = actor(strategy).newActorWithReturn(this::failing);
            ReplyActor<String, String> made = actor(strategy).newActorWithReturnFrom(context -> this::failing);
            var stereotype = Stereotypes.with(strategy).in(system).requestReply(this::failing);
            for (ReplyActor<String, String> actor : List.of(plain, made, stereotype)) {
                assertSame(broken, Await.failure(actor.ask("fail")));
                assertEquals("a", Await.value(actor.ask("a")));
            }
            Actor<ReplyTo<String>> inMessage = actor(strategy).newActor(replyTo -> {
                throw broken;
            });
            assertSame(broken, Await.failure(inMessage.<String>ask(replyTo -> replyTo, LONG)));
            assertEquals("", log.text());
        }
    }

    @AllStrategies(direct = true)
    void withoutAnAskerTheExceptionIsLoggedOnce(ThreadStrategy strategy) {
        for (boolean factory : new boolean[] {false, true}) {
            try (var log = new LogLines()) {
                var builder = system.actor("clerk").strategy(strategy);
                Actor<String> actor =
                        factory ? builder.newActorFrom(context -> this::failing) : builder.newActor(this::failing);
                actor.tell("fail");
                actor.tell("a");
                actor.close();
                assertEquals(1, log.with("ERROR", "clerk").size(), log::text);
                assertEquals(1, log.with(broken.toString()).size(), log::text);
                assertEquals(2, Await.end(actor).handled());
            }
        }
    }

    @AllStrategies(direct = true)
    void exceptionsOfSinkCodeAndTasksAreLoggedToo(ThreadStrategy strategy) {
        try (var log = new LogLines()) {
            Sink<int[]> sink = system.actor("sink").strategy(strategy).newSink(new int[1]);
            sink.execute(state -> {
                throw broken;
            });
            sink.execute(state -> state[0]++);
            assertSame(broken, Await.failure(sink.ask(state -> failing("fail"))));
            assertEquals("1", Await.value(sink.ask(state -> "" + state[0])));
            assertEquals(1, log.with("ERROR", "sink").size(), log::text);

            var once = system.actor("once").strategy(strategy).runOnce(() -> failing("fail"));
            assertSame(broken, Await.end(once).cause());
            assertEquals(1, log.with("ERROR", "once").size(), log::text);
            var silent = Stereotypes.with(strategy).in(system).runOnceSilent(() -> failing("fail"));
            assertSame(broken, Await.end(silent).cause());
        }
    }

    @AllStrategies(direct = true)
    void supervisionDecides(ThreadStrategy strategy) {
        var stopped = actor(strategy).supervision(Supervision.stop()).newActorWithReturn(this::failing);
        assertSame(broken, Await.failure(stopped.ask("fail")));
        assertSame(broken, Await.end(stopped).cause());

        var policy = Supervision.stop().on(IOException.class, Supervision.restart());
        var made = new int[1];
        ReplyActor<String, Integer> restarted = actor(strategy)
                .supervision(policy)
                .newActorWithReturnFrom(context -> {
                    int number = ++made[0];
                    return message -> number + failing(message).length();
                });
        assertEquals(2, Await.value(restarted.ask("a")));
        assertSame(broken, Await.failure(restarted.ask("fail")));
        assertEquals(3, Await.value(restarted.ask("a")));
    }

    private String failing(String message) throws IOException {
        if (message.equals("fail")) {
            throw broken;
        }
        return message;
    }
}
