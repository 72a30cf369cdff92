package io.fibry;

import io.fibry.dispatch.LogText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The children of a {@link Supervisor}, and its strategy when a child ends. Immutable: every method returns a new
 * specification. The rules and terms follow the supervisors of Erlang/OTP.
 *
 * {@snippet class = "FailureSnippets" region = "supervisor"}
 */
public final class SupervisorSpec {

    /** Specifies whether a child that has ended is restarted. */
    public enum Restart {
        /** Always. */
        PERMANENT,
        /** If it failed, or was interrupted; not if it ended normally. */
        TRANSIENT,
        /** Never, not even when its siblings are restarted. */
        TEMPORARY
    }

    /** Specifies which children are restarted together. */
    public enum Scope {
        /** The failed child. */
        ONE_FOR_ONE,
        /** All children. */
        ONE_FOR_ALL,
        /** The failed child and the children started after it. */
        REST_FOR_ONE
    }

    /**
     * A child: {@link SupervisorSpec#child(String, Restart, Duration, Function)}.
     *
     * @param name its name
     * @param restart whether it is restarted after its end
     * @param stopTimeout the time in which it may end before it is interrupted
     * @param start makes its actor
     */
    public record Child(
            String name,
            Restart restart,
            Duration stopTimeout,
            Function<ActorBuilder<Object>, ? extends Actor<?>> start) {
        public Child {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(restart, "restart");
            Objects.requireNonNull(stopTimeout, "stopTimeout");
            Objects.requireNonNull(start, "start");
            if (name.isBlank()) {
                throw new IllegalArgumentException("a child needs a name that is not blank");
            }
            if (stopTimeout.isNegative()) {
                throw new IllegalArgumentException(
                        "a stop timeout cannot be " + stopTimeout + "; Duration.ZERO interrupts at once");
            }
        }
    }

    static final Duration SHUTDOWN = Duration.ofSeconds(5);

    private final Scope scope;
    private final List<Child> children;
    private final RestartLimit limit;
    private final @Nullable Backoff backoff;

    private SupervisorSpec(Scope scope, List<Child> children, RestartLimit limit, @Nullable Backoff backoff) {
        this.scope = scope;
        this.children = children;
        this.limit = limit;
        this.backoff = backoff;
    }

    private static SupervisorSpec of(Scope scope) {
        return new SupervisorSpec(scope, List.of(), RestartLimit.OF_SUPERVISORS, null);
    }

    /** When a child fails, that child is restarted. */
    public static SupervisorSpec oneForOne() {
        return of(Scope.ONE_FOR_ONE);
    }

    /** When a child fails, all children are restarted. */
    public static SupervisorSpec oneForAll() {
        return of(Scope.ONE_FOR_ALL);
    }

    /** When a child fails, that child and the children started after it are restarted. */
    public static SupervisorSpec restForOne() {
        return of(Scope.REST_FOR_ONE);
    }

    /** As {@link #child(String, Restart, Duration, Function)}, with a stop timeout of five seconds. */
    public SupervisorSpec child(
            String name, Restart restart, Function<ActorBuilder<Object>, ? extends Actor<?>> start) {
        return child(name, restart, SHUTDOWN, start);
    }

    /**
     * Adds a child. Children are started in the order of these calls, and stopped in reverse order. The start function
     * receives a builder with the child's name, configured to escalate failures to the supervisor. It may set further
     * options, and must make exactly one actor with the builder and return it. It runs inside the supervisor: at the
     * first start, and whenever the child is restarted as a new actor.
     *
     * <p>A child made by {@link ActorBuilder#newActorFrom} or {@link ActorBuilder#newActorWithReturnFrom} is restarted
     * in place: its handle and its mailbox stay. Any other child ends when it fails, its messages become dead letters,
     * and a new actor is started.
     *
     * @param stopTimeout the time in which the child may end, or finish the message being handled
     *     before a restart. A child that takes longer is interrupted. Zero interrupts at once. As after
     *     {@link Actor#stop(Duration)}, the child does not wait for timers that are due later
     * @throws IllegalArgumentException if there is a child with that name, or the name is blank, or the duration is
     *     negative
     */
    public SupervisorSpec child(
            String name,
            Restart restart,
            Duration stopTimeout,
            Function<ActorBuilder<Object>, ? extends Actor<?>> start) {
        var child = new Child(name, restart, stopTimeout, start);
        if (children.stream().anyMatch(c -> c.name.equals(name))) {
            throw new IllegalArgumentException(
                    "there is a child named " + LogText.plain(name) + " already; choose another name");
        }
        var more = new ArrayList<>(children);
        more.add(child);
        return new SupervisorSpec(scope, List.copyOf(more), limit, backoff);
    }

    /**
     * Limits the restarts within a period. At the next failure beyond the limit the supervisor stops its children and
     * fails. The default is 3 restarts within 5 seconds.
     *
     * @throws IllegalArgumentException if the number is negative, or the period is not positive
     */
    public SupervisorSpec limit(int restarts, Duration period) {
        return new SupervisorSpec(scope, children, new RestartLimit(restarts, period), backoff);
    }

    /**
     * Waits before a restart, as {@link Supervision#backoff} does.
     *
     * @throws IllegalArgumentException if the first pause is not positive, or longer than the longest
     */
    public SupervisorSpec backoff(Duration first, Duration longest) {
        return new SupervisorSpec(scope, children, limit, new Backoff(first, longest));
    }

    /** Returns which children are restarted together. */
    public Scope scope() {
        return scope;
    }

    /** Returns the children in the order of their start. */
    public List<Child> children() {
        return children;
    }

    /** Returns the limit for restarts. */
    public RestartLimit limit() {
        return limit;
    }

    /** Returns the backoff before restarts; null by default. */
    public @Nullable Backoff backoff() {
        return backoff;
    }
}
