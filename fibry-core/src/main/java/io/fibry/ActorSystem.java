package io.fibry;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A group of actors that share threads and names, and are closed together. Systems share nothing, so two systems, or two tests,
 * do not interfere. The static methods work on one {@linkplain #defaultSystem() default system}, which is all that most programs
 * need.
 *
 * {@snippet class = "ActorSnippets" region = "system"}
 *
 * <p>All methods may be called by any thread.
 */
public sealed interface ActorSystem extends AutoCloseable permits LocalSystem {

    /** Makes a system whose default strategy is {@link ThreadStrategy#virtual()}. */
    static ActorSystem create() {
        return create(ThreadStrategy.virtual());
    }

    /** Makes a system with a default strategy. */
    static ActorSystem create(ThreadStrategy defaultStrategy) {
        return create(SystemOptions.defaults().strategy(Objects.requireNonNull(defaultStrategy, "defaultStrategy")));
    }

    /** Makes a system with a name and other options. */
    static ActorSystem create(SystemOptions options) {
        return new LocalSystem(Objects.requireNonNull(options, "options"));
    }

    /** The system behind the static methods. If it has been closed, the next call opens a new one. */
    static ActorSystem defaultSystem() {
        return DefaultSystem.get();
    }

    /** A builder of actors without a name, in the default system. */
    static ActorBuilder<Object> anonymous() {
        return DefaultSystem.get().actor();
    }

    /**
     * A builder of an actor with a name, in the default system.
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

    /** A builder of actors without a name. */
    ActorBuilder<Object> actor();

    /**
     * A builder of an actor with a name. No other living actor of this system may have the same name.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    ActorBuilder<Object> actor(String name);

    /**
     * The living actor with this name. The caller must know its type of messages: it is not checked. Some actors are found as the
     * handle that was returned when they were made, such as a {@code Topic}; see {@link ForwardingActor#beFoundByName}.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    <M> Optional<Actor<M>> find(String name);

    /**
     * The living actor with this name, if it replies. The caller must know its types of messages and replies: they are not
     * checked.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    <M, R extends @Nullable Object> Optional<ReplyActor<M, R>> findWithReturn(String name);

    /**
     * The living actor with this name, or else an address for the actor that will get the name. The address keeps up to
     * {@code capacity} messages, and refuses more with {@link MailboxFullException}. An actor that gets the name handles these
     * messages first, and from then on the address is a handle to it. If the address is stopped before that, or the system
     * closes, the messages become dead letters, and the name is free.
     *
     * @throws IllegalStateException if the system is closed
     * @throws IllegalArgumentException if the name is blank, or the capacity is less than 1
     */
    <M> Actor<M> findOrExpect(String name, int capacity);

    /** The name of the system: {@link SystemOptions#name}. */
    String name();

    /**
     * A snapshot: how many actors there are and what they do, and which are the worst, with the stacks of their handlers. It prints
     * as a text. The actors are not stopped, and do nothing for it. It takes time in proportion to the number of known actors and of
     * messages that wait: about 0.2 seconds for a million.
     *
     * <p>The system knows the actors that are ready or at work, and those that hold something: a name, a parent, a child, a hook, a
     * timer or a thread. Other idle actors are only known to a system with {@link SystemOptions#tracking}.
     */
    SystemDump dump();

    /** The known actors: see {@link #dump}. Each is looked at when the stream comes to it; one at work has its stack. */
    Stream<ActorInfo> actors();

    /** The actors whose message has been at work for longer than this, those first that have been for longest. */
    List<ActorInfo> stuck(Duration longerThan);

    /**
     * The numbers of this system and its servers now, for a monitoring system: how many actors there are and what they do, how the
     * messages ended, how many wait and how long the oldest one has been, workers, failures, restarts, and the measures of each
     * {@link Measured} actor. It goes through the same actors and messages as {@link #dump}, through some messages twice. It also works on
     * a system that is closed.
     *
     * <p>Messages have no timestamps. The age of the oldest one is known because a call marks messages that wait, and a later call
     * finds them still waiting. So it is zero in the first call, and never too high. At most 1,000 of the actors with messages
     * are looked at.
     */
    List<Measure> measures();

    /**
     * As {@link #measures()}, and also numbers of single actors: those of each actor with a name that the filter accepts, and those
     * of all the others together, with the tag {@code actor=(others)}. An actor without a name, or with the name {@code (others)}, is
     * one of the others.
     *
     * @param named which names; called by this thread, once for each, and must be quick. What it throws reaches the caller
     */
    List<Measure> measures(Predicate<? super String> named);

    /** What happened to this system's messages until now. */
    Counters counters();

    /**
     * Sets the handler for {@linkplain DeadLetter dead letters} of this system. It replaces the default, which logs at most one
     * line a second, with the actor's name, the message's type and the reason. The handler runs on the thread that discards the
     * message, perhaps on several threads at once, and should be quick. What it throws is logged.
     */
    void onDeadLetter(Consumer<? super DeadLetter> handler);

    /**
     * Adds a listener for failures and dead letters, beside the log and the handler of dead letters, for those who look at the
     * system. It runs on the thread of the incident, perhaps on several at once, and should be quick: thousands of dead letters
     * may come at the end of an actor. What it throws is written to the error stream. Failures that an asker got are among
     * them.
     *
     * @return what removes the listener
     */
    AutoCloseable onIncident(Consumer<? super Incident> listener);

    /**
     * Closes the system when the JVM is told to end, for instance by SIGTERM or {@link System#exit}: the JVM waits for
     * {@link #close(Duration)}, so at most two seconds longer than the deadline. Calling it again changes nothing.
     *
     * @throws IllegalStateException if the system is closed, or the JVM is ending already
     */
    void closeOnShutdown(Duration deadline);

    /** The strategy of actors whose builder names none. */
    ThreadStrategy defaultStrategy();

    /** Whether the system has been closed, or is being closed. */
    boolean isClosing();

    /** Closes the system: {@code close(Duration.ofSeconds(10))}. */
    @Override
    default void close() {
        close(Duration.ofSeconds(10));
    }

    /**
     * Closes the system, and waits until its work is done. Servers are stopped first, then schedules. Then the actors handle what
     * they have accepted, and may send each other more. Messages of one-shot timers and of stages are accepted messages, too, if
     * they are due before the deadline. When nothing is left to handle, or half of the remaining time is over, the other actors are stopped too, children before parents. At the deadline, messages that still wait are discarded; a
     * second later the handlers at work are interrupted. If some of them have not returned after one more second, the call gives
     * up: it logs their stacks and returns false. Afterwards the system makes no more actors, and handles no message: an actor
     * refuses it, or leaves it as a dead letter. Called again, it waits for the handlers that are left, and interrupts them again.
     *
     * <p>If the calling thread is interrupted, the handlers are interrupted at once, the call waits for one more second at most,
     * and sets the interrupt status again before it returns. Called from inside one of the system's own actors, or by a hook that
     * this call runs, it does not wait. If several calls close the system, the one that ends first makes the stop harder. Inside an actor of another system it waits, but an interrupt ends the wait at once.
     *
     * @return whether everything has ended in order; false also if the call has given up a stage of {@link ActorContext#pipeToSelf}
     *     that had not completed at the deadline, which it logs
     * @throws IllegalArgumentException if the deadline is negative
     */
    boolean close(Duration deadline);
}
