package io.fibry.bench.peers;

import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;

/**
 * An actor library, seen through what all of them can do. The works are written once against this interface. Actors are plain
 * objects here, so that an adapter adds nothing to what an actor costs.
 *
 * <p>Any thread may call any method. What a peer has no means for throws {@link UnsupportedOperationException};
 * {@link Peers#cannot} tells it beforehand.
 */
public interface Peer extends AutoCloseable {

    /** An actor that does not reply. */
    Object actor(Receiver behavior);

    /**
     * An actor that does not reply and may make others while it handles a message: some libraries want these to be its
     * children.
     */
    default Object parent(Receiver behavior) {
        return actor(behavior);
    }

    /** Runs code that makes many actors, where this library makes them best. Returns when it has run. */
    default void inside(Runnable code) {
        code.run();
    }

    /** An actor that does not reply and has a name, which no other living actor has. */
    default Object namedActor(String name, Receiver behavior) {
        throw new UnsupportedOperationException("its actors have no names");
    }

    /** An actor that replies. Only {@link #ask} and what is like it sends it messages. */
    default Object replyActor(Replier behavior) {
        throw new UnsupportedOperationException("it has no replies");
    }

    /** Sends a message, which is never null, and returns at once. */
    void tell(Object actor, Object message);

    /** Sends a message to an actor that replies and waits for the answer. */
    default Object ask(Object replyActor, Object message) {
        throw new UnsupportedOperationException("it has no replies");
    }

    /** As {@link #ask}, but waits a minute at most. It never is: it keeps a library from taking a short cut. */
    default Object askInTime(Object replyActor, Object message) {
        return ask(replyActor, message);
    }

    /** Sends a message to an actor that replies, and returns at once. Passes the answer on as soon as it is there. */
    default void askThen(Object replyActor, Object message, Consumer<Object> whatThen) {
        throw new UnsupportedOperationException("it has no replies");
    }

    /** An actor that has no behavior and runs code. */
    default Object sink() {
        return actor(code -> ((Runnable) code).run());
    }

    /** Runs code inside a sink. Returns at once. */
    default void execute(Object sink, Runnable code) {
        tell(sink, code);
    }

    /**
     * An actor that asks others when it is told anything: it asks, waits for the answer as its library wants actors to wait,
     * asks the next question, and at last passes on the sum of the answers.
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
     * What experts of this library put before a resource that only a few may use at a time.
     *
     * @param room how many requests may wait, if the service has a bound
     */
    default Service service(Resource resource, int room, Service.Client client) {
        return new ActorService(this, false, resource, client);
    }

    /** Ends an actor that has nothing more to do, if it holds something. Returns at once. */
    void stop(Object actor);

    /** Gives back what all actors share. The actors have been stopped before. */
    @Override
    void close();
}
