package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Senders that are so deep in a recursion that sending runs out of stack: the receiver must not be harmed. */
class DeepSenderTest extends KernelTest {

    private static final long STACK_BYTES = 512 << 10;

    /** How many depths are tried, between half of the stack and all of it. */
    private static final int DEPTHS = 300;

    /** What happened to one receiver. */
    private record Sent(ReplyActor<Integer, Integer> receiver, AtomicInteger handled, boolean accepted) {}

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
        assertTrue(all.stream().anyMatch(Sent::accepted));
        for (Sent sent : all) {
            sent.receiver.stop();
            Await.end(sent.receiver);
        }
    }

    @Test
    void anActorThatIsDeepInARecursionWaitsForTheReplyOfAnotherThatIsNotHarmed() {
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

    /** Every receiver answers, and has handled what was accepted; an error may have come after the acceptance. */
    private static void check(List<Sent> all) {
        assertTrue(all.stream().anyMatch(Sent::accepted));
        assertTrue(all.stream().anyMatch(sent -> !sent.accepted), "no sender was deep enough");
        for (Sent sent : all) {
            assertEquals(7, Await.value(sent.receiver.ask(7)));
            int handled = sent.handled.get() - 1;
            assertTrue(handled == 1 || (handled == 0 && !sent.accepted), () -> handled + " handled: " + sent);
        }
    }

    private interface Sending {
        void send(ReplyActor<Integer, Integer> receiver, Integer message);
    }

    /** Sends to one new actor at each of many depths, up to the last that the stack of this thread allows. */
    private static List<Sent> sendAtAllDepths(ActorBuilder<Object> builder, Sending sending) {
        List<Sent> all = new ArrayList<>();
        int deepest = deepest();
        for (int i = 1; i <= DEPTHS; i++) {
            int depth = deepest / 2 + deepest / 2 * i / DEPTHS;
            var handled = new AtomicInteger();
            ReplyActor<Integer, Integer> receiver = builder.newActorWithReturn((Integer n) -> {
                handled.incrementAndGet();
                return n;
            });
            boolean accepted;
            try {
                descend(depth, new AtomicInteger(), () -> sending.send(receiver, 1));
                accepted = true;
            } catch (StackOverflowError e) {
                accepted = false;
            }
            all.add(new Sent(receiver, handled, accepted));
        }
        return all;
    }

    private static int deepest() {
        var reached = new AtomicInteger();
        for (int tries = 0; tries < 50; tries++) { // frames become smaller when the method is compiled
            try {
                descend(Integer.MAX_VALUE, reached, () -> {});
            } catch (StackOverflowError e) {
                // this is the depth
            }
        }
        return reached.get();
    }

    private static int descend(int depth, AtomicInteger reached, Runnable action) {
        reached.setPlain(Integer.MAX_VALUE - depth);
        if (depth == 0) {
            action.run();
            return 0;
        }
        return descend(depth - 1, reached, action) + 1;
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
