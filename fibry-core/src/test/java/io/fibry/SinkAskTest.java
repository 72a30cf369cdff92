package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.Gate;
import io.fibry.testing.KernelTest;
import io.fibry.testing.Stats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Asks about the state of a sink. */
class SinkAskTest extends KernelTest {

    private Sink<List<Integer>> sink(ThreadStrategy strategy) {
        return actor(strategy).newSink(new ArrayList<>());
    }

    @AllStrategies(direct = true)
    void theReplyIsTheReturnValueOfTheQuestion(ThreadStrategy strategy) throws Exception {
        var sink = sink(strategy);
        sink.execute(list -> list.add(7));
        assertEquals("[7]", Await.value(sink.ask(List::toString)));
        assertEquals("[7]", sink.call(List::toString));
        assertNull(sink.call(list -> null));
        Sink<String> stateless = actor(strategy).newSink(null);
        assertEquals(true, stateless.call(state -> state == null));
    }

    @AllStrategies(direct = true)
    void anExceptionOfTheQuestionFailsTheAskAndTheSinkContinues(ThreadStrategy strategy) throws Exception {
        var sink = sink(strategy);
        var thrown = new IOException("meant to fail");
        ThrowingFunction<List<Integer>, Integer> failing = list -> {
            throw thrown;
        };
        assertSame(thrown, Await.failure(sink.ask(failing)));
        assertSame(thrown, assertThrows(IOException.class, () -> sink.call(failing)));
        assertEquals("[]", sink.call(List::toString));
    }

    @AllStrategies(direct = true)
    void questionsAndCodeKeepTheirOrder(ThreadStrategy strategy) {
        var sink = sink(strategy);
        for (int i = 0; i < 100; i++) {
            int number = i;
            sink.execute(list -> list.add(number));
            var size = sink.ask(List::size);
            sink.execute(list -> list.add(-number));
            assertEquals(2 * i + 1, Await.value(size));
        }
    }

    @AllStrategies
    void afterTheStopTheAskFails(ThreadStrategy strategy) {
        var sink = sink(strategy);
        var gate = new Gate();
        sink.execute(gate::pass);
        gate.awaitReached();
        var waiting = sink.ask(List::size);
        sink.stop(StopMode.DISCARD);
        assertInstanceOf(ActorStoppedException.class, Await.failure(waiting));
        assertInstanceOf(ActorStoppedException.class, Await.failure(sink.ask(List::size)));
        assertThrows(ActorStoppedException.class, () -> sink.call(List::size));
        assertThrows(NullPointerException.class, () -> sink.ask(null));
        gate.open();
        Await.end(sink);
        assertEquals(Stats.ofSent(1, 2, 0, 1), system.stats());
    }
}
