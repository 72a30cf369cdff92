package io.fibry.test;

import io.fibry.ForwardingActor;
import io.fibry.ReplyActor;
import io.fibry.ReplyTo;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An actor to hand to the code under test. It keeps what it is sent, for the test to look at, one message after the other.
 *
 * {@snippet class = "TestSnippets" region = "probe"}
 *
 * <p>An expectation first runs what is ready. It does not let time pass: use {@link TestSystem#advance} before. Only the thread of the test
 * may call the methods of this class; any actor may send to it.
 *
 * @param <M> the type of the messages
 */
public final class Probe<M> extends ForwardingActor<M> {

    /** A message, and where the reply goes. */
    private record Received<M>(M message, ReplyTo<Object> replyTo) {}

    private final TestSystem test;
    private final ReplyActor<M, Object> actor;
    private final List<Received<M>> received;

    /** How many messages the test has expected. */
    private int seen;

    private Probe(TestSystem test, ReplyActor<M, Object> actor, List<Received<M>> received) {
        super(actor);
        this.test = test;
        this.actor = actor;
        this.received = received;
    }

    static <M> Probe<M> start(TestSystem test, String name) {
        List<Received<Object>> received = new ArrayList<>();
        ReplyActor<Object, Object> actor = test.system().actor(name).newActorWithReturnFrom(context -> message -> {
            received.add(new Received<>(message, context.deferReply()));
            return message;
        });
        return make(test, actor, received);
    }

    @SuppressWarnings("unchecked") // the actor takes any message
    private static <M> Probe<M> make(TestSystem test, ReplyActor<?, ?> actor, List<?> received) {
        return new Probe<>(test, (ReplyActor<M, Object>) actor, (List<Received<M>>) received);
    }

    /** This probe, for code that asks. The code waits for its reply until {@link #reply}. */
    @SuppressWarnings("unchecked") // the test has to give replies of this type
    public <R extends @Nullable Object> ReplyActor<M, R> asReplyActor() {
        return (ReplyActor<M, R>) actor;
    }

    /**
     * The next message.
     *
     * @throws AssertionError if there is none, now that nothing moves any more
     */
    public M next() {
        return next("a message").message();
    }

    private Received<M> next(String wanted) {
        runUntilIdle();
        if (seen == received.size()) {
            throw test.failed(name() + " has expected " + wanted + ", and nothing has come" + before());
        }
        return received.get(seen++);
    }

    private void runUntilIdle() {
        test.requireTestThread("the methods of a probe");
        test.runUntilIdle();
    }

    /**
     * The next message, which has to be equal to this one.
     *
     * @throws AssertionError if there is none, or another one
     */
    public M expect(M message) {
        M next = next(Trace.text(Objects.requireNonNull(message, "message"))).message();
        if (!next.equals(message)) {
            throw test.failed(name() + " has expected " + Trace.text(message) + ", and " + Trace.text(next)
                    + " has come" + before());
        }
        return next;
    }

    /**
     * The next message, which has to be of this type.
     *
     * @throws AssertionError if there is none, or one of another type
     */
    public <T extends M> T expect(Class<T> type) {
        M next = next("a " + type.getSimpleName()).message();
        if (!type.isInstance(next)) {
            throw test.failed(name() + " has expected a " + type.getSimpleName() + ", and " + Trace.text(next)
                    + " has come" + before());
        }
        return type.cast(next);
    }

    /**
     * Checks that there is no further message.
     *
     * @throws AssertionError if there is one
     */
    public void expectNothing() {
        runUntilIdle();
        if (seen < received.size()) {
            throw test.failed(name() + " has expected nothing, and "
                    + Trace.text(received.get(seen).message()) + " has come" + before());
        }
    }

    private String before() {
        List<String> earlier = received.subList(0, Math.min(seen, received.size())).stream()
                .map(r -> Trace.text(r.message()))
                .toList();
        return earlier.isEmpty() ? "" : "; in all it has seen " + String.join(", ", earlier);
    }

    /**
     * Replies to the message that the test has seen last.
     *
     * @throws AssertionError if nobody waits for a reply to it
     */
    public void reply(Object value) {
        if (!last().reply(Objects.requireNonNull(value, "value"))) {
            throw test.failed("nobody waits for a reply of " + name() + " to its last message");
        }
    }

    /**
     * Fails the ask that the test has seen last.
     *
     * @throws AssertionError if nobody waits for a reply to it
     */
    public void fail(Throwable cause) {
        if (!last().fail(cause)) {
            throw test.failed("nobody waits for a reply of " + name() + " to its last message");
        }
    }

    private ReplyTo<Object> last() {
        test.requireTestThread("the methods of a probe");
        if (seen == 0) {
            throw new IllegalStateException("expect a message of " + name() + " before you reply to it");
        }
        return received.get(seen - 1).replyTo();
    }

    /** All messages so far, also those that the test has seen. */
    public List<M> messages() {
        runUntilIdle();
        return received.stream().map(Received::message).toList();
    }
}
