package io.fibry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The policy for exceptions of a behavior. With every policy, the exception completes the ask or is logged with the
 * actor's name. Other actors are affected only if the policy escalates the failure, or stops or restarts a parent.
 * Immutable: every method returns a new policy.
 *
 * {@snippet class = "FailureSnippets" region = "supervision"}
 */
public final class Supervision {

    /** The reactions to a failure. */
    public enum Directive {
        /** {@link #resume()}. */
        RESUME,
        /** {@link #restart()}. */
        RESTART,
        /** {@link #stop()}. */
        STOP,
        /** {@link #escalate()}. */
        ESCALATE
    }

    private record Rule(Class<? extends Throwable> failure, Supervision then) {}

    private static final Supervision RESUME = new Supervision(Directive.RESUME, List.of(), RestartLimit.NONE, null);
    private static final Supervision RESTART = new Supervision(Directive.RESTART, List.of(), RestartLimit.NONE, null);
    private static final Supervision STOP = new Supervision(Directive.STOP, List.of(), RestartLimit.NONE, null);
    private static final Supervision ESCALATE = new Supervision(Directive.ESCALATE, List.of(), RestartLimit.NONE, null);

    private final Directive directive;
    private final List<Rule> rules;
    private final RestartLimit limit;
    private final @Nullable Backoff backoff;
    private final boolean mayRestart;

    private Supervision(Directive directive, List<Rule> rules, RestartLimit limit, @Nullable Backoff backoff) {
        this.directive = directive;
        this.rules = rules;
        this.limit = limit;
        this.backoff = backoff;
        mayRestart = directive == Directive.RESTART || rules.stream().anyMatch(rule -> rule.then.mayRestart);
    }

    /** The actor keeps its state and handles its next message. This is the default. */
    public static Supervision resume() {
        return RESUME;
    }

    /**
     * The actor is restarted with new state. Its children are stopped with {@link StopMode#DISCARD}, and interrupted if
     * they have not ended a second later. Its timers and watches are cancelled, and asks whose reply it has deferred
     * fail. Then its factory makes a new behavior. Its mailbox and its handle stay, and stashed messages are handled
     * first. Only actors made by {@link ActorBuilder#newActorFrom} or {@link ActorBuilder#newActorWithReturnFrom} can
     * restart.
     *
     * <p>If the factory throws, the restart is tried again after the {@linkplain #backoff backoff}. Without a backoff
     * the failure is escalated.
     */
    public static Supervision restart() {
        return RESTART;
    }

    /** The actor ends, and its {@link ActorExit} has the cause. Messages that wait become dead letters. */
    public static Supervision stop() {
        return STOP;
    }

    /**
     * The parent decides. A {@link Supervisor} applies its strategy for failed children. With any other parent, this
     * actor ends as with {@link #stop()}, and the parent is treated as if its own behavior had thrown the exception.
     * The failure is not escalated if this actor had been stopped with {@link StopMode#DISCARD} or
     * {@link StopMode#INTERRUPT} before: then it only ends. Without a parent, this is {@link #stop()}.
     */
    public static Supervision escalate() {
        return ESCALATE;
    }

    /**
     * Sets the policy for failures of a type. If several types match a failure, the policy that was set first applies.
     *
     * @param then the policy for failures of this type; its own rules apply too
     */
    public Supervision on(Class<? extends Throwable> failure, Supervision then) {
        Objects.requireNonNull(failure, "failure");
        Objects.requireNonNull(then, "then");
        var more = new ArrayList<>(rules);
        more.add(new Rule(failure, then));
        return new Supervision(directive, List.copyOf(more), limit, backoff);
    }

    /**
     * Limits the restarts within a period. The next failure beyond the limit is escalated. The default is no limit.
     *
     * @throws IllegalArgumentException if this is not a restart policy, or the number is negative, or the period is not
     *     positive
     */
    public Supervision limit(int restarts, Duration period) {
        requireRestart("limit");
        return new Supervision(directive, rules, new RestartLimit(restarts, period), backoff);
    }

    /**
     * Waits before a restart: the first time about as long as {@code first}, then twice as long each time, up to
     * {@code longest}. Each pause is shortened at random by up to a half. After twice the longest pause without a
     * failure, the next pause is the first one again. A paused actor accepts messages, and uses no thread. A draining
     * actor does not pause: it restarts at once and handles its remaining messages.
     *
     * @throws IllegalArgumentException if this is not a restart policy, or the first pause is not positive or longer
     *     than the longest
     */
    public Supervision backoff(Duration first, Duration longest) {
        requireRestart("backoff");
        return new Supervision(directive, rules, limit, new Backoff(first, longest));
    }

    private void requireRestart(String option) {
        if (directive != Directive.RESTART) {
            throw new IllegalArgumentException("a " + option + " is for Supervision.restart(), not for " + this);
        }
    }

    // ---- inspection

    /** Returns the policy for a failure: the policy of the first type that matches, or this policy if none matches. */
    public Supervision about(Throwable failure) {
        for (Rule rule : rules) {
            if (rule.failure.isInstance(failure)) {
                return rule.then.about(failure);
            }
        }
        return this;
    }

    boolean mayRestart() {
        return mayRestart;
    }

    /** Returns the reaction to failures for which {@link #on} has set no policy. */
    public Directive directive() {
        return directive;
    }

    /** Returns the limit for restarts; {@link RestartLimit#NONE} by default. */
    public RestartLimit limit() {
        return limit;
    }

    /** Returns the backoff before restarts; null by default. */
    public @Nullable Backoff backoff() {
        return backoff;
    }

    @Override
    public String toString() {
        var text = new StringBuilder("Supervision.").append(directive.name().toLowerCase(java.util.Locale.ROOT));
        rules.forEach(rule -> text.append(", on ")
                .append(rule.failure.getSimpleName())
                .append(' ')
                .append(rule.then));
        return text.toString();
    }
}
