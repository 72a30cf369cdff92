package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Senders so deep in a recursion that sending exhausts the stack: the receiver must not be harmed. */
class DeepSenderTest extends KernelTest {

    private static final long STACK_BYTES = 512 << 10;

    private static final int DEPTHS = 300;

    /** One receiver, and whether its sender could send. */
    private static final class Sent {

        final AtomicInteger handled = new AtomicInteger();
        final ReplyActor<Integer, Integer> receiver;
        boolean accepted;

        Sent(ActorBuilder<Object> builder) {
            receiver = builder.newActorWithReturn((Integer n) -> {
                handled.incrementAndGet();
                return n;
            });
        }
    }

    @AllStrategies
    void aTellIsHandledOrNotAccepted(ThreadStrategy strategy) throws InterruptedException {
        for (UnaryOperator<ActorBuilder<Object>> mailbox : mailboxes()) {
            List<Sent> all = onSmallStack(() -> sendAtAllDepths(mailbox.apply(actor(strategy)), Actor::tell));
            check(all);
        }
    }

    @AllStrategies
    void anAskIsAnsweredOrNotAccepted(ThreadStrategy strategy) throws InterruptedException {
        List<CompletableFuture<Integer>> replies = new ArrayList<>();
        List<Sent> all = onSmallStack(
                () -> sendAtAllDepths(actor(strategy), (receiver, message) -> replies.add(receiver.ask(message))));
        replies.forEach(reply -> assertEquals(1, Await.value(reply)));
        check(all);
    }

    @AllStrategies
    void aStopEndsTheActorOrIsNotAccepted(ThreadStrategy strategy) throws InterruptedException {
        List<Sent> all = onSmallStack(() -> sendAtAllDepths(actor(strategy), (receiver, m) -> receiver.stop()));
        assertTrue(all.stream().anyMatch(sent -> sent.accepted));
        for (Sent sent : all) {
            sent.receiver.stop();
            Await.end(sent.receiver);
        }
    }

    @Test
    void anActorDeepInARecursionWaitsForTheReplyOfAnUnharmedActor() {
        List<Sent> all = new ArrayList<>();
        ReplyActor<Integer, Integer> deep = system.actor().newActorWithReturn((Integer ignored) -> {
            all.addAll(sendAtAllDepths(system.actor(), (receiver, message) -> join(receiver, message)));
            return all.size();
        });
        assertTrue(Await.value(deep.ask(0)) > 0);
        check(all);
    }

    private static void join(ReplyActor<Integer, Integer> receiver, Integer message) {
        try {
            assertEquals(message, receiver.ask(message).join());
        } catch (CompletionException e) {
            throw new AssertionError("the receiver had not enough stack: " + e.getCause(), e);
        }
    }

    /** Every receiver replies, and has handled each accepted message; an error may have followed the acceptance. */
    private static void check(List<Sent> all) {
        assertTrue(all.stream().anyMatch(sent -> sent.accepted));
        assertTrue(all.stream().anyMatch(sent -> !sent.accepted), "no sender was deep enough");
        for (Sent sent : all) {
            assertEquals(7, Await.value(sent.receiver.ask(7)));
            int handled = sent.handled.get() - 1;
            assertTrue(
                    handled == 1 || (handled == 0 && !sent.accepted), handled + " handled, accepted: " + sent.accepted);
        }
    }

    private interface Sending {
        void send(ReplyActor<Integer, Integer> receiver, Integer message);
    }

    /** Sends to one actor from each of the deepest frames that the stack of this thread allows, the deepest first. */
    private static List<Sent> sendAtAllDepths(ActorBuilder<Object> builder, Sending sending) {
        var senders = new DeepSenders(builder, sending);
        senders.sendFromNextFrame(); // loads and links the code of a send, which must not fail because of a short stack
        senders.descend(1, 2, 3, 4, 5, 6, 7, 8);
        return senders.all.subList(1, senders.tried);
    }

    /**
     * Descends until the stack is exhausted and sends on the way back. Depths measured in advance would be wrong as
     * soon as the JIT compiler changes the size of a frame.
     */
    private static final class DeepSenders {

        private final Sending sending;
        private final List<Sent> all = new ArrayList<>();
        private int tried;
        private int returned;
        private int next;

        DeepSenders(ActorBuilder<Object> builder, Sending sending) {
            this.sending = sending;
            for (int i = 0; i < DEPTHS; i++) {
                all.add(new Sent(builder));
            }
        }

        /** The arguments are used after the call, which gives a frame, also a compiled one, at least 64 bytes. */
        @SuppressWarnings("InfiniteRecursion") // ends when the stack is exhausted
        long descend(long a, long b, long c, long d, long e, long f, long g, long h) {
            long below = 0;
            try {
                below = descend(b, c, d, e, f, g, h, a + 1);
            } catch (StackOverflowError deepest) {
                returned = 0;
            }
            if (returned++ >= next && tried < DEPTHS) {
                next += 4 + next / 32; // at last from half of the depth: a virtual thread that is deeper cannot wait
                sendFromNextFrame();
            }
            return below ^ a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
        }

        void sendFromNextFrame() {
            Sent sent = all.get(tried++);
            try {
                sending.send(sent.receiver, 1);
                sent.accepted = true;
            } catch (StackOverflowError e) {
                // not accepted
            }
        }
    }

    private static <T> T onSmallStack(Supplier<T> code) throws InterruptedException {
        var result = new CompletableFuture<T>();
        Thread thread = new Thread(null, () -> result.completeAsync(code, Runnable::run), "small stack", STACK_BYTES);
        result.orTimeout(Await.LIMIT.toSeconds(), TimeUnit.SECONDS);
        thread.start();
        thread.join();
        return Await.value(result);
    }
}
