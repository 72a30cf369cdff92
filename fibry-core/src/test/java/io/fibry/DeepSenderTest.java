package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.DeepStack;
import io.fibry.testing.KernelTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Senders so deep in a recursion that sending exhausts the stack: the receiver must not be harmed. */
class DeepSenderTest extends KernelTest {

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
            List<Sent> all = DeepStack.onSmallStack(() -> sendAtAllDepths(mailbox.apply(actor(strategy)), Actor::tell));
            check(all);
        }
    }

    @AllStrategies
    void anAskIsAnsweredOrNotAccepted(ThreadStrategy strategy) throws InterruptedException {
        List<CompletableFuture<Integer>> replies = new ArrayList<>();
        List<Sent> all = DeepStack.onSmallStack(
                () -> sendAtAllDepths(actor(strategy), (receiver, message) -> replies.add(receiver.ask(message))));
        replies.forEach(reply -> assertEquals(1, Await.value(reply)));
        check(all);
    }

    @AllStrategies
    void aStopEndsTheActorOrIsNotAccepted(ThreadStrategy strategy) throws InterruptedException {
        List<Sent> all =
                DeepStack.onSmallStack(() -> sendAtAllDepths(actor(strategy), (receiver, m) -> receiver.stop()));
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

    /** Sends to one actor from each of the deepest frames that the stack of this thread allows. */
    private static List<Sent> sendAtAllDepths(ActorBuilder<Object> builder, Sending sending) {
        List<Sent> all = Stream.generate(() -> new Sent(builder)).limit(DEPTHS).toList();
        send(new Sent(builder), sending); // loads and links the code, which must not fail because of a short stack
        return all.subList(0, DeepStack.runAtAllDepths(DEPTHS, i -> send(all.get(i), sending)));
    }

    private static void send(Sent sent, Sending sending) {
        try {
            sending.send(sent.receiver, 1);
            sent.accepted = true;
        } catch (StackOverflowError e) {
            // not accepted
        }
    }
}
