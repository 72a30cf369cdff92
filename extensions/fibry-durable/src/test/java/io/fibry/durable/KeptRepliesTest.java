package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.codec.RecordCodec;
import io.fibry.test.TestSystem;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long the replies to asks with a request key are kept. */
class KeptRepliesTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final DurableType<Long, Long> COUNTER =
            DurableType.of("counter", RecordCodec.of(Long.class), RecordCodec.of(Long.class));

    /** Adds the messages. */
    private static final class Counter implements Durable<Long, Long, Long> {

        @Override
        public Long initial() {
            return 0L;
        }

        @Override
        public Change<Long, Long> handle(Long sum, Long added) {
            return Change.to(sum + added, sum + added);
        }
    }

    @Test
    void aReplyIsKeptForTheConfiguredTime() throws Exception {
        try (var test = TestSystem.create();
                var database = SimulatedDatabase.create()) {
            var table = StateTable.of(database.open(), COUNTER, RecordCodec.of(Long.class), new Counter());
            var options = DurableOptions.defaults().keepReplies(Duration.ofHours(1));
            try (var counters = DurableEntities.start(table, options)) {
                assertEquals(1, ask(test, counters));
                test.advance(Duration.ofMinutes(55));
                assertEquals(1, ask(test, counters));
                test.advance(Duration.ofMinutes(10));
                assertEquals(2, ask(test, counters));
            }
        }
    }

    private static long ask(TestSystem test, DurableEntities<Long, Long> counters) throws Exception {
        var reply = counters.ref("a").ask(1L, "request", TIMEOUT);
        test.await(reply);
        return reply.get();
    }
}
