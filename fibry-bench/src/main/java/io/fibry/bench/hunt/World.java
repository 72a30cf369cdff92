package io.fibry.bench.hunt;

import io.fibry.Actor;
import io.fibry.ActorInterruptedException;
import io.fibry.ActorRef;
import io.fibry.ActorStoppedException;
import io.fibry.ActorSystem;
import io.fibry.AskDeadlockException;
import io.fibry.MailboxFullException;
import io.fibry.SystemOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** A system in which a {@link Program} runs: its actors, and the sending of messages by strands and handlers. */
final class World {

    /** A timeout that exceeds the duration of a program, so that a reply or an end occurs first. */
    static final Duration LONG = Duration.ofSeconds(60);

    /** The time between two steps of a close. */
    private static final Duration GRACE = Duration.parse(System.getProperty("io.fibry.closeGrace", "PT1S"));

    static final Duration SHORT = Duration.ofMillis(2);

    final Program program;
    final Ledger ledger = new Ledger();
    final ActorSystem system;
    final AtomicReferenceArray<@Nullable Handle> handles;
    final Plant plant;

    /** The tolerance for a step without a wait, on a busy machine. */
    final Duration patience;

    /** The number of actors that handlers have spawned, which is limited. */
    final AtomicInteger spawned = new AtomicInteger();

    /**
     * The actors that a strand has restarted under their names. Each is restarted once, because two strands would
     * compete for the name.
     */
    final Set<Integer> startedAgain = ConcurrentHashMap.newKeySet();

    /** Set when the close of the system has returned true. No handler may begin afterwards. */
    volatile boolean over;

    World(Program program, Plant plant, Duration patience) {
        this.program = program;
        this.plant = plant;
        this.patience = patience;
        system = ActorSystem.create(SystemOptions.defaults().name("hunt-" + program.seed()));
        handles = new AtomicReferenceArray<>(program.actors());
        system.onDeadLetter(letter -> ledger.dead(letter.message()));
        AutoCloseable unused = system.onIncident(incident -> {
            Throwable failure = incident.failure();
            if (failure != null && !isExpected(failure)) {
                unexpected("the system from a behavior of " + incident.actor(), failure);
            }
        });
    }

    // ---- failures

    /** Returns whether this exception may reach a caller or a handler in a correct program. */
    boolean isExpected(Throwable failure) {
        return switch (failure) {
            case Intended e -> true;
            case ActorStoppedException e -> true;
            case MailboxFullException e -> true;
            case ActorInterruptedException e -> true;
            case InterruptedException e -> true;
            case AskDeadlockException e -> true;
            case TimeoutException e -> true;
            case CancellationException e -> true;
            case CompletionException e when e.getCause() != null -> isExpected(e.getCause());
            case ExecutionException e when e.getCause() != null -> isExpected(e.getCause());
            case IllegalStateException e -> isOfEnd(e);
            default -> false;
        };
    }

    /** Returns whether the system or a parent is about to end. */
    private boolean isOfEnd(IllegalStateException e) {
        String text = String.valueOf(e.getMessage());
        return text.contains("closed") || text.contains("deadlock") || text.contains("itself");
    }

    void unexpected(String where, Throwable failure) {
        var stack = new StringBuilder();
        for (int i = 0; i < Math.min(8, failure.getStackTrace().length); i++) {
            stack.append("\n        at ").append(failure.getStackTrace()[i]);
        }
        ledger.problem("unexpected " + failure.getClass().getSimpleName(), where + " got " + failure + stack);
    }

    /** Checks the duration of a close. On a busy machine, a close may return false. */
    void checkClose(String closed, Duration deadline, long start) {
        Duration taken = Duration.ofNanos(System.nanoTime() - start);
        if (taken.compareTo(deadline.plus(GRACE.multipliedBy(2)).plus(patience)) > 0) {
            ledger.problem("late close", "the close of " + closed + " within " + deadline + " took " + taken);
        }
    }

    // ---- messages

    /** Creates a message with an entry in the ledger. */
    Message message(Act act, int to, int strand) {
        return ledger.message(number -> new Message(number, act, to, strand, other(number)));
    }

    /** Creates a message of a timer or a stage. */
    Message uncounted(Act act) {
        return ledger.message(number -> new Message(number, act, -1, -1, other(number)));
    }

    private int other(int number) {
        return handles.length() == 0 ? 0 : number % handles.length();
    }

    /** Sends a message from a handler. */
    void send(Verb verb, int to, Act act, int strand) {
        Handle handle = handles.get(to);
        if (handle != null) {
            send(verb, handle, message(act, to, strand));
        }
    }

    /** Sends a message, and records the outcome of the call. */
    void send(Verb verb, Handle handle, Message message) {
        if (plant.loses(this, handle, message)) {
            message.sent = Message.Sent.ACCEPTED;
            return;
        }
        send(message, verb + " to a" + handle.index(), () -> sent(verb, handle, message));
    }

    /** Sends a message with a call that returns whether the message was accepted. */
    void send(Message message, String where, Callable<Boolean> call) {
        try {
            message.sent = call.call() ? Message.Sent.ACCEPTED : Message.Sent.NO_ROOM;
        } catch (Exception e) {
            message.sent = message.ask != null ? Message.Sent.ACCEPTED : Message.Sent.REFUSED;
            if (!isExpected(e)) {
                unexpected(where, e);
            } else if (e instanceof InterruptedException || e instanceof ActorInterruptedException) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean sent(Verb verb, Handle handle, Message message) throws Exception {
        ActorRef<Message, Object> asked = handle.asked(message.number);
        if (asked != null) {
            switch (verb) {
                case ASK_TIMED -> {
                    message.ask = asked.ask(message, SHORT);
                    return true;
                }
                case ASK, ASK_REPLY_TO, CALL -> {
                    CompletableFuture<?> future = asked instanceof io.fibry.ReplyActor<Message, Object> actor
                            ? actor.ask(message)
                            : asked.ask(message, LONG);
                    message.ask = future;
                    if (verb == Verb.CALL) {
                        Object unused = future.get();
                    }
                    return true;
                }
                case TRY_TELL -> {
                    return asked.tryTell(message);
                }
                default -> {}
            }
        }
        Actor<Message> to = handle.messages(message.number);
        if (to == null) {
            if (asked == null) {
                return false; // a child that is not alive
            }
            asked.tell(message);
            return true;
        }
        switch (verb) {
            case TRY_TELL -> {
                return to.tryTell(message);
            }
            case TELL_ALL -> to.tellAll(List.of(message));
            case EXECUTE -> to.execute(new Code(ledger, message));
            case ASK_REPLY_TO ->
                message.ask = to.<Object>ask(
                        replyTo -> {
                            message.replyTo = replyTo;
                            return message;
                        },
                        LONG);
            default -> to.tell(message);
        }
        return true;
    }

    /** Returns the name of an actor with {@link Trait#NAMED}. */
    String name(int actor) {
        return "hunt-" + program.seed() + "-a" + actor;
    }
}
