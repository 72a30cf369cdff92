package io.fibry.cluster.pekko;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.ActorStoppedException;
import io.fibry.MailboxFullException;
import io.fibry.cluster.EntityFailedException;
import io.fibry.cluster.NoMajorityException;
import io.fibry.cluster.pekko.Packet.Answer;
import io.fibry.cluster.pekko.Packet.Answer.Outcome;
import io.fibry.codec.Codec;
import io.fibry.codec.CodecException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EntityAsksTest {

    private static final Duration LONG = Duration.ofMinutes(10);

    private static final Codec<String> TEXT = new Codec<>() {
        @Override
        public byte[] encode(String message) {
            return message.getBytes(UTF_8);
        }

        @Override
        public String decode(byte[] bytes) {
            if (bytes[0] == '!') {
                throw new CodecException("an exclamation mark", null);
            }
            return new String(bytes, UTF_8);
        }
    };

    private final EntityAsks asks = new EntityAsks();

    @AfterEach
    void nothingIsLeft() {
        assertEquals(0, asks.size());
    }

    private EntityAsks.Ask<String> begin(Duration timeout) {
        return asks.begin("cart/1", TEXT, timeout);
    }

    private Throwable failure(Outcome outcome, String content) {
        EntityAsks.Ask<String> ask = begin(LONG);
        asks.answered(new Answer(ask.id, outcome, content.getBytes(UTF_8)));
        return assertThrows(CompletionException.class, ask.reply::join).getCause();
    }

    @Test
    void theAnswerOfAnAskIsItsReply() {
        EntityAsks.Ask<String> first = begin(LONG);
        EntityAsks.Ask<String> second = begin(LONG);
        asks.answered(new Answer(second.id, Outcome.REPLIED, "two".getBytes(UTF_8)));
        asks.answered(new Answer(first.id, Outcome.REPLIED, new byte[0]));
        assertEquals("two", second.reply.join());
        assertEquals(null, first.reply.join());
        asks.answered(new Answer(first.id, Outcome.REPLIED, "late".getBytes(UTF_8)));
    }

    @Test
    void anAnswerFromBeforeARestartIsIgnored() {
        var before = new EntityAsks();
        EntityAsks.Ask<String> earlier = before.begin("cart/1", TEXT, LONG);
        EntityAsks.Ask<String> later = begin(LONG);
        asks.answered(new Answer(earlier.id, Outcome.REPLIED, "earlier".getBytes(UTF_8)));
        asks.answered(new Answer(later.id, Outcome.REPLIED, "later".getBytes(UTF_8)));
        assertEquals("later", later.reply.join());
        before.close("it has left");
    }

    @Test
    void codeOfProgramsRunsOnVirtualThreads() {
        EntityAsks.Ask<String> answered = begin(LONG);
        EntityAsks.Ask<String> failed = begin(LONG);
        CompletableFuture<Boolean> afterAnswer = isVirtual(answered);
        CompletableFuture<Boolean> afterFailure = isVirtual(failed);
        asks.answered(new Answer(answered.id, Outcome.REPLIED, new byte[0]));
        asks.close("gone");
        assertTrue(afterAnswer.join());
        assertTrue(afterFailure.join());
    }

    private static CompletableFuture<Boolean> isVirtual(EntityAsks.Ask<?> ask) {
        return ask.reply.handle((reply, failure) -> Thread.currentThread().isVirtual());
    }

    @Test
    void eachOutcomeHasItsException() {
        assertInstanceOf(EntityFailedException.class, failure(Outcome.FAILED, "x"));
        assertInstanceOf(MailboxFullException.class, failure(Outcome.MAILBOX_FULL, "x"));
        assertInstanceOf(ActorStoppedException.class, failure(Outcome.STOPPED, "x"));
        assertInstanceOf(CodecException.class, failure(Outcome.NOT_DECODED, "x"));
        assertInstanceOf(CodecException.class, failure(Outcome.REPLIED, "!"));
        assertEquals("entity cart/1 has failed: x", failure(Outcome.FAILED, "x").getMessage());
    }

    @Test
    void anAskEndsWithItsTimeout() {
        EntityAsks.Ask<String> ask = begin(Duration.ofMillis(1));
        Throwable failure =
                assertThrows(CompletionException.class, ask.reply::join).getCause();
        assertInstanceOf(TimeoutException.class, failure);
        assertTrue(failure.getMessage().contains("cart/1"), failure.getMessage());
    }

    @Test
    void aCancelledAskIsForgotten() {
        assertTrue(begin(LONG).reply.cancel(false));
    }

    @Test
    void whenTheNodeIsRemovedTheFateOfOpenAsksIsUnknownAndLaterOnesAreRefused() {
        EntityAsks.Ask<String> before = begin(LONG);
        asks.close("gone");
        EntityAsks.Ask<String> after = begin(LONG);
        assertInstanceOf(TimeoutException.class, cause(before));
        assertInstanceOf(NoMajorityException.class, cause(after));
    }

    private static Throwable cause(EntityAsks.Ask<?> ask) {
        return assertThrows(CompletionException.class, ask.reply::join).getCause();
    }
}
