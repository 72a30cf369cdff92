package io.fibry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of an actor whose behavior throws. In every case the exception is reported once, to the asker if the
 * message was asked, else to the log with the actor's name, and no other actor is affected unless this says so. Immutable: every
 * method makes a new one.
 *
 * {@snippet class = "FailureSnippets" region = "supervision"}
 */
public final class Supervision {

    /** What to do about a failure. */
    enum Directive {
        RESUME,
        RESTART,
        STOP,
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

    /** The actor goes on with its next message and the state that it has. The default. */
    public static Supervision resume() {
        return RESUME;
    }

    /**
     * The actor goes on with its next message and fresh state: its factory makes a new behavior, its timers are cancelled, it
     * watches nobody any more, and its children are stopped with {@link StopMode#DISCARD} before that, and interrupted if they have not ended a second later. Its
     * mailbox and its handle stay, and what it had put aside comes first. For actors made by {@link ActorBuilder#newActorFrom} and
     * {@link ActorBuilder#newActorWithReturnFrom}.
     *
     * <p>If the factory throws, it is tried again after the {@linkplain #backoff pause}; if there is none, the failure is
     * escalated.
     */
    public static Supervision restart() {
        return RESTART;
    }

    /** The actor ends, and its {@link ActorExit} tells the cause. What it had still to handle becomes dead letters. */
    public static Supervision stop() {
        return STOP;
    }

    /**
     * The parent decides. A {@link Supervisor} does what it does about a child that has failed. Any other parent is treated as if its
     * own behavior had thrown the exception, and this actor ends as with {@link #stop()}; so does one without a parent. Such a
     * parent does not hear of it if this actor has been stopped with {@link StopMode#DISCARD} or {@link StopMode#INTERRUPT}
     * already.
     */
    public static Supervision escalate() {
        return ESCALATE;
    }

    /**
     * Decides otherwise about failures of a type. Of several types that fit, the one that was named first counts.
     *
     * @param then what to do about those; its own types count too
     */
    public Supervision on(Class<? extends Throwable> failure, Supervision then) {
        Objects.requireNonNull(failure, "failure");
        Objects.requireNonNull(then, "then");
        var more = new ArrayList<>(rules);
        more.add(new Rule(failure, then));
        return new Supervision(directive, List.copyOf(more), limit, backoff);
    }

    /**
     * Limits restarts: one more than so many within the period, and the failure is escalated. Without this there is no limit.
     *
     * @throws IllegalArgumentException if this does not restart, or the number is negative, or the period is not positive
     */
    public Supervision limit(int restarts, Duration period) {
        requireRestart("limit");
        return new Supervision(directive, rules, new RestartLimit(restarts, period), backoff);
    }

    /**
     * Waits before a restart: for the first time about as long as {@code first}, then twice as long each time, up to
     * {@code longest}. Each pause is up to a half shorter, by chance. After twice the longest pause without a failure it begins
     * from the first again. While the actor waits it takes messages, and uses no thread.
     *
     * @throws IllegalArgumentException if this does not restart, or the first pause is not positive or longer than the longest
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

    // ---- for the kernel

    /** What to do about this failure. */
    Supervision about(Throwable failure) {
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

    Directive directive() {
        return directive;
    }

    RestartLimit limit() {
        return limit;
    }

    @Nullable
    Backoff backoff() {
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
