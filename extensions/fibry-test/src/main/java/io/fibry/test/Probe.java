package io.fibry.test;

import io.fibry.ForwardingActor;
import io.fibry.ReplyActor;
import io.fibry.ReplyTo;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An actor that stands in for a collaborator of the code under test. It records its messages, which the test inspects
 * one after the other.
 *
 * {@snippet class = "TestSnippets" region = "probe"}
 *
 * <p>An expectation first runs all actors that are ready. It does not advance the clock: call
 * {@link TestSystem#advance} before. Only the thread of the test may call the methods of this class; any actor may send
 * to it.
 *
 * @param <M> the type of the messages
 */
public final class Probe<M> extends ForwardingActor<M> {

    /** A message, and the recipient of its reply. */
    private record Received<M>(M message, ReplyTo<Object> replyTo) {}

    private final TestSystem test;
    private final ReplyActor<M, Object> actor;
    private final List<Received<M>> received;

    /** The number of messages that the test has taken. */
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

    @SuppressWarnings("unchecked") // the actor accepts any message
    private static <M> Probe<M> make(TestSystem test, ReplyActor<?, ?> actor, List<?> received) {
        return new Probe<>(test, (ReplyActor<M, Object>) actor, (List<Received<M>>) received);
    }

    /** Returns this probe as an actor that replies. An ask waits until {@link #reply}. */
    @SuppressWarnings("unchecked") // the test must reply with values of this type
    public <R extends @Nullable Object> ReplyActor<M, R> asReplyActor() {
        return (ReplyActor<M, R>) actor;
    }

    /**
     * Returns the next message.
     *
     * @throws AssertionError if there is no further message when the system is idle
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
     * Returns the next message, which must be equal to the given one.
     *
     * @throws AssertionError if there is no further message, or if it is not equal
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
     * Returns the next message, which must have the given type.
     *
     * @throws AssertionError if there is no further message, or if it has another type
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
     * @throws AssertionError if there is a further message
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
     * Replies to the last message that the test has taken: to its ask, or to the {@link ReplyTo} that the message
     * carries in one of its fields. The value must have the type of the reply, which this method cannot check.
     *
     * {@snippet class = "TestSnippets" region = "probeReply"}
     *
     * @throws AssertionError if no ask waits for the reply
     * @throws IllegalStateException if the message carries several {@code ReplyTo}: call {@link ReplyTo#reply} of one
     */
    public void reply(Object value) {
        if (!last().reply(Objects.requireNonNull(value, "value"))) {
            throw test.failed("nobody waits for a reply of " + name() + " to its last message");
        }
    }

    /**
     * Fails the ask of the last message that the test has taken. Finds it like {@link #reply}.
     *
     * @throws AssertionError if no ask waits for the reply
     * @throws IllegalStateException if the message carries several {@code ReplyTo}: call {@link ReplyTo#fail} of one
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
        Received<M> taken = received.get(seen - 1);
        ReplyTo<Object> asked = taken.replyTo();
        ReplyTo<Object> carried = asked.isOpen() ? null : CarriedReply.of(taken.message());
        return carried == null ? asked : carried;
    }

    /** Returns all messages so far, including the messages that the test has taken. */
    public List<M> messages() {
        runUntilIdle();
        return received.stream().map(Received::message).toList();
    }
}
