package io.fibry;

import io.fibry.kernel.ActorMaker;
import io.fibry.kernel.DefaultSystem;
import io.fibry.kernel.LocalSystem;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A group of actors that share threads and a namespace, and are closed together. Systems are independent of each other,
 * and so are two tests that use a system each. The static methods work on one {@linkplain #defaultSystem() default
 * system}, which is all that most programs need.
 *
 * {@snippet class = "ActorSnippets" region = "system"}
 *
 * <p>All methods may be called by any thread.
 */
public sealed interface ActorSystem extends AutoCloseable permits LocalSystem {

    /** Creates a system whose default strategy is {@link ThreadStrategy#virtual()}. */
    static ActorSystem create() {
        return create(ThreadStrategy.virtual());
    }

    /** Creates a system with a default strategy. */
    static ActorSystem create(ThreadStrategy defaultStrategy) {
        return create(SystemOptions.defaults().strategy(Objects.requireNonNull(defaultStrategy, "defaultStrategy")));
    }

    /** Creates a system with a name and other options. */
    static ActorSystem create(SystemOptions options) {
        return new LocalSystem(Objects.requireNonNull(options, "options"));
    }

    /** Returns the system that the static methods use. If it has been closed, this method creates a new one. */
    static ActorSystem defaultSystem() {
        return DefaultSystem.get();
    }

    /** Returns a builder of actors without a name, in the default system. */
    static ActorBuilder<Object> anonymous() {
        return DefaultSystem.get().actor();
    }

    /**
     * Returns a builder of an actor with a name, in the default system.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    static ActorBuilder<Object> named(String name) {
        return DefaultSystem.get().actor(name);
    }

    /**
     * {@link #find(String)} in the default system.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    static <M> Optional<Actor<M>> findNamed(String name) {
        return DefaultSystem.get().find(name);
    }

    /** Sets the default strategy of the default system. */
    static void setDefaultStrategy(ThreadStrategy strategy) {
        DefaultSystem.setStrategy(strategy);
    }

    /** Returns a builder of actors without a name. */
    default ActorBuilder<Object> actor() {
        return new ActorBuilder<>(ActorMaker.of(this));
    }

    /**
     * Returns a builder of an actor with a name. No other living actor of this system may have the same name.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    default ActorBuilder<Object> actor(String name) {
        return new ActorBuilder<>(ActorMaker.of(this, name));
    }

    /**
     * Returns the living actor with this name. The message type is not checked: the caller must know it. For some
     * actors, such as a {@code LocalTopic}, it returns the handle that was returned when they were made; see
     * {@link ForwardingActor#beFoundByName}.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    <M> Optional<Actor<M>> find(String name);

    /**
     * Returns the living actor with this name, if it replies. The types of messages and replies are not checked: the
     * caller must know them.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    <M, R extends @Nullable Object> Optional<ReplyActor<M, R>> findWithReturn(String name);

    /**
     * Returns the living actor with this name; if there is none, an address for the actor that will take the name. The
     * address keeps up to {@code capacity} messages, and refuses more with {@link MailboxFullException}. The actor that
     * takes the name handles these messages first, and from then on the address is a handle to it. If the address is
     * stopped before that, or the system closes, the messages become dead letters, and the name is free.
     *
     * @throws IllegalStateException if the system is closed
     * @throws IllegalArgumentException if the name is blank, or the capacity is less than 1
     */
    <M> Actor<M> findOrExpect(String name, int capacity);

    /** Returns the name of the system: {@link SystemOptions#name}. */
    String name();

    /**
     * Returns a snapshot: the number of actors by state, and the actors with the longest-running handlers, the fullest
     * mailboxes and the most restarts, with the stacks of their handlers. Its {@code toString} is a readable text. The
     * actors keep running. This method takes time proportional to the number of known actors and waiting messages:
     * about 0.2 seconds for a million.
     *
     * <p>The system knows the actors that are ready or running, and the idle actors that hold a resource: a name, a
     * parent, a child, a hook, a timer, a stashed message, a deferred reply, an open stage or a thread. Other idle
     * actors are only known to a system with {@link SystemOptions#tracking}.
     */
    SystemDump dump();

    /**
     * Returns snapshots of the known actors: see {@link #dump}. Each snapshot is taken when the stream reaches the
     * actor, and contains the stack of a running handler.
     */
    Stream<ActorInfo> actors();

    /** Returns the actors that have been handling one message for longer than the given time, longest first. */
    List<ActorInfo> stuck(Duration longerThan);

    /**
     * Returns the current metrics of this system and its servers, for a monitoring system: actors by state, messages by
     * outcome, the number of waiting messages and the age of the oldest, workers, failures, restarts, and the metrics
     * of each {@link MetricSource} actor. Visits the same actors and messages as {@link #dump}, and some messages
     * twice. May also be called on a closed system.
     *
     * <p>Messages have no timestamps. To estimate the age of the oldest one, a call marks messages that wait, and a
     * later call finds them still waiting. The age is therefore zero in the first call, and never too high. At most
     * 1,000 actors with messages are examined.
     */
    List<Metric> metrics();

    /**
     * As {@link #metrics()}, with the metrics of each actor whose name the filter accepts, and their sums over all
     * other actors, with the tag {@code actor=(others)}. The sums include actors without a name, and an actor with the
     * name {@code (others)}.
     *
     * @param named the filter of names; it is called by this thread, once for each name, and must be quick. Its
     *     exceptions propagate to the caller
     */
    List<Metric> metrics(Predicate<? super String> named);

    /**
     * Returns the distributions of the measured latencies since the system was made: those of the system, which have an
     * empty actor name, then those of living actors with a name, by name; of 1,000 actors at most. Empty unless
     * {@link SystemOptions#latencySampling} is set. Distributions without measured times are omitted.
     */
    List<Latency> latencies();

    /**
     * Adds a listener for measured latencies, for instance to pass them to a monitoring system. It is never called
     * unless {@link SystemOptions#latencySampling} is set, and then receives the same times as {@link #latencies()}.
     *
     * @return a handle whose {@code close} removes the listener
     */
    AutoCloseable onLatency(LatencyListener listener);

    /** Returns the numbers of this system's messages by outcome. */
    SystemStats stats();

    /**
     * Sets the handler for {@linkplain DeadLetter dead letters} of this system. It replaces the default, which logs at
     * most one line a second, with the actor's name, the message's type and the reason. The handler runs on the thread
     * that discards the message, possibly on several threads concurrently, and should be quick. Its exceptions are
     * logged.
     */
    void onDeadLetter(Consumer<? super DeadLetter> handler);

    /**
     * Adds a listener for failures and dead letters, in addition to the log and the handler of dead letters. It is
     * meant for tools that observe the system. The listener runs on the thread of the incident, possibly on several
     * threads concurrently, and should be quick: the end of an actor may produce thousands of dead letters. Its
     * exceptions are written to the error stream. The incidents include failures that completed an ask.
     *
     * @return a handle whose {@code close} removes the listener
     */
    AutoCloseable onIncident(Consumer<? super Incident> listener);

    /**
     * Closes the system when the JVM shuts down, for instance after SIGTERM or {@link System#exit}: the JVM waits for
     * {@link #close(Duration)}, at most two seconds longer than the deadline. A repeated call has no effect.
     *
     * @throws IllegalStateException if the system is closed, or the JVM is already shutting down
     */
    void closeOnShutdown(Duration deadline);

    /** Returns the strategy of actors whose builder does not set one. */
    ThreadStrategy defaultStrategy();

    /** Returns whether the system has been closed, or is being closed. */
    boolean isClosing();

    /** Closes the system: {@code close(Duration.ofSeconds(10))}. */
    @Override
    default void close() {
        close(Duration.ofSeconds(10));
    }

    /**
     * Closes the system, and waits until its actors have ended. Servers are stopped first, then schedules. Then the
     * actors handle the messages that they have accepted, and may send each other more. Messages of one-shot timers
     * that are due before the deadline, and of stages that complete before it, count as accepted messages. When no
     * message is left to handle, or half of the remaining time has elapsed, the other actors are stopped too, children
     * before parents. At the deadline, messages that still wait are discarded; one second later the running handlers
     * are interrupted. If some of them have not returned after one more second, the call gives up: it logs their stacks
     * and returns false. A closed system makes no actors and handles no messages: a message is refused, or becomes a
     * dead letter. A repeated call waits for the remaining handlers, and interrupts them again.
     *
     * <p>If the calling thread is interrupted, the handlers are interrupted at once, the call waits for at most one
     * more second, and restores the interrupt status before it returns. Called from inside one of the system's own
     * actors, or by a hook that this call runs, it does not wait. Called from inside an actor of another system, it
     * waits, but an interrupt ends the wait at once. If several calls close the system, the earliest deadline applies.
     *
     * @return whether all actors have ended in order; also false if the call has given up a stage of
     *     {@link ActorContext#pipeToSelf} that had not completed at the deadline, which it logs
     * @throws IllegalArgumentException if the deadline is negative
     */
    boolean close(Duration deadline);
}
