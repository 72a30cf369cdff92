package io.fibry.bench.peers;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * The common interface of actor libraries. Benchmarks are written once against this interface. An actor is represented
 * by a plain {@code Object}, so that an adapter adds no cost per actor.
 *
 * <p>Any thread may call any method. An unsupported operation throws an {@link UnsupportedOperationException};
 * {@link Peers#cannot} reports it in advance.
 */
public interface Peer extends AutoCloseable {

    /** Creates an actor that does not reply. */
    Object actor(Receiver behavior);

    /**
     * Creates an actor that does not reply and may create other actors in its handler: in some libraries, these are its
     * children.
     */
    default Object parent(Receiver behavior) {
        return actor(behavior);
    }

    /**
     * Runs code that creates many actors, on the thread that is best for this library. Returns when the code has run.
     */
    default void inside(Runnable code) {
        code.run();
    }

    /** Creates an actor that does not reply, with a name that is unique among live actors. */
    default Object namedActor(String name, Receiver behavior) {
        throw new UnsupportedOperationException("its actors have no names");
    }

    /** Creates an actor that replies. It receives messages only by {@link #ask} and its variants. */
    default Object replyActor(Replier behavior) {
        throw new UnsupportedOperationException("it has no replies");
    }

    /**
     * Creates an actor that handles a message at a fixed rate, the first time after one period.
     *
     * @param behavior creates the behavior of the actor immediately before its timer is started
     */
    default Object periodicActor(Duration period, Supplier<Receiver> behavior) {
        throw new UnsupportedOperationException("it has no timers");
    }

    /**
     * Creates an actor that sleeps in its handler, in the recommended way of its library, and then sends itself the
     * next message. The message, an {@code Integer}, is the duration of the sleep in milliseconds.
     *
     * @param millis the next message
     * @param goesOn evaluated after each sleep; if false, the actor sends no message
     */
    default Object sleeper(int millis, BooleanSupplier goesOn) {
        return Sleeper.create(this, millis, goesOn);
    }

    /** Sends a message, which is never null, and returns at once. */
    void tell(Object actor, Object message);

    /** Sends a message to an actor that replies and waits for the answer. */
    default Object ask(Object replyActor, Object message) {
        throw new UnsupportedOperationException("it has no replies");
    }

    /**
     * Like {@link #ask}, with a timeout of a minute, which is never reached. The timeout prevents optimizations of asks
     * without a timeout.
     */
    default Object askInTime(Object replyActor, Object message) {
        return ask(replyActor, message);
    }

    /**
     * Sends a message to an actor that replies, and returns at once. Passes the reply to the consumer when it arrives.
     */
    default void askThen(Object replyActor, Object message, Consumer<Object> whatThen) {
        throw new UnsupportedOperationException("it has no replies");
    }

    /** Creates an actor without a behavior, which runs code. */
    default Object sink() {
        return actor(code -> ((Runnable) code).run());
    }

    /** Runs code inside a sink. Returns at once. */
    default void execute(Object sink, Runnable code) {
        tell(sink, code);
    }

    /**
     * Creates an actor that asks others when it receives a message: it asks, waits for the reply in the recommended way
     * of its library, asks the next question, and finally passes on the sum of the replies.
     *
     * @param target the actor that replies to the i-th question, which is the {@code Integer} {@code i & 1023}
     * @param inTime whether it waits as in {@link #askInTime}
     */
    default Object asker(IntFunction<Object> target, int questions, boolean inTime, LongConsumer sum) {
        return actor(go -> {
            long s = 0;
            for (int i = 0; i < questions; i++) {
                Object to = target.apply(i);
                Integer question = i & 1023;
                s += (Integer) (inTime ? askInTime(to, question) : ask(to, question));
            }
            sum.accept(s);
        });
    }

    /**
     * Creates the recommended service of this library for a resource with few permits.
     *
     * @param room the number of requests that may wait, if the service is bounded
     */
    default Service service(Resource resource, int room, Service.Client client) {
        return new ActorService(this, false, resource, client);
    }

    /** Ends an idle actor, if it holds resources. Returns at once. */
    void stop(Object actor);

    /** Releases shared resources. The actors have already been stopped. */
    @Override
    void close();
}
