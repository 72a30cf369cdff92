package io.fibry.kernel;

import io.fibry.dispatch.ActorThread;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The progress of an actor as seen by another thread, for exception messages and logs. It is approximate while the
 * actor runs, and exact for an actor that is stuck.
 */
final class WorkSnapshot {

    /** The maximum number of messages to count, which bounds the traversal of a list that may change concurrently. */
    private static final int LIMIT = 1_000_000;

    private final ActorState<?> actor;
    private final @Nullable ActorThread runner;

    /** The current message, or else the first node in hand that has not begun; null if there is neither. */
    private final @Nullable Envelope position;

    private final @Nullable Envelope current;

    WorkSnapshot(ActorState<?> actor, @Nullable ActorThread runner) {
        this.actor = actor;
        this.runner = runner;
        Envelope at = runner == null ? actor.inHand() : position(actor, runner);
        boolean hasBegun = at != null && (runner == null ? at.isSuspended() : !(at instanceof MessageSegment));
        position = at;
        current = hasBegun ? at : null;
    }

    /**
     * Finds the current message. The actor publishes its position only occasionally, and counts handled messages in
     * between. It has not begun a segment that is its position.
     */
    private static @Nullable Envelope position(ActorState<?> actor, ActorThread runner) {
        Envelope e = actor.inHand();
        long steps = actor.handled() - runner.handledAtHand();
        while (e != null && steps > 0 && !(e instanceof MessageSegment)) {
            e = e.next;
            steps--;
        }
        return e;
    }

    /** The message being handled, or null. */
    @Nullable
    Envelope current() {
        return current;
    }

    /** The stack trace of the handler. */
    StackTraceElement[] stack() {
        return runner == null || current == null ? new StackTraceElement[0] : runner.stack();
    }

    /** The messages that the actor has not handled. Takes time proportional to their number. */
    Positions positions() {
        var positions = new Positions();
        Envelope e = position;
        for (int seen = 0; e != null && seen < LIMIT; e = e.next) {
            positions.add(e, e == current);
            seen += weight(MessageSegment.messages(e));
        }
        BoundedMailbox bounded = actor.boundedMailbox();
        if (bounded != null) {
            bounded.forEach(waiting -> positions.add(waiting, false));
        } else {
            addStack(positions);
        }
        addChildMessages(positions);
        return positions;
    }

    /** The number of waiting messages, excluding the current one. Takes time proportional to it, up to a bound. */
    long waiting() {
        BoundedMailbox bounded = actor.boundedMailbox();
        if (bounded != null) {
            return bounded.size();
        }
        return count(firstInHand()) + count(actor.newest()) + (actor.isClosed() ? closed() : 0);
    }

    /** The oldest message that waits in hand; its {@code next} is newer. */
    private @Nullable Envelope firstInHand() {
        return current != null ? current.next : position;
    }

    /**
     * Adds the wanted messages that are waiting to {@code found}. Takes as much time as {@link #waiting}.
     *
     * @return the newest message that waits, or, in a mailbox with priorities, any; null if none waits
     */
    @Nullable
    Envelope findWaiting(Set<Envelope> wanted, Set<Envelope> found) {
        BoundedMailbox bounded = actor.boundedMailbox();
        if (bounded != null) {
            var inRoom = new Search(wanted, found);
            bounded.forEach(inRoom::look);
            return newest(inRoom.last);
        }
        var inHand = new Search(wanted, found);
        inHand.lookFrom(firstInHand());
        var newestFirst = new Search(wanted, found);
        newestFirst.lookFrom(actor.newest());
        var beforeClose = new Search(wanted, found);
        Lifecycle l = actor.lifecycleIfAny();
        if (l != null && actor.isClosed()) {
            l.lock();
            try {
                beforeClose.lookFrom(actor.lastAccepted());
            } finally {
                l.unlock();
            }
        }
        Envelope last = beforeClose.last != null ? beforeClose.last : inHand.last;
        return newest(newestFirst.first != null ? newestFirst.first : last);
    }

    private static @Nullable Envelope newest(@Nullable Envelope node) {
        return node == null ? null : MessageSegment.newest(node);
    }

    /** A traversal of a list of messages. */
    private static final class Search {
        private final Set<Envelope> wanted;
        private final Set<Envelope> found;
        private int seen;
        private @Nullable Envelope first; // these are nodes with messages
        private @Nullable Envelope last;

        Search(Set<Envelope> wanted, Set<Envelope> found) {
            this.wanted = wanted;
            this.found = found;
        }

        void lookFrom(@Nullable Envelope start) {
            for (Envelope node = start; node != null && seen < LIMIT; node = node.next) {
                look(node);
            }
        }

        void look(Envelope node) {
            int messages = MessageSegment.messages(node);
            seen += weight(messages);
            if (messages == 0) {
                return;
            }
            first = first == null ? node : first;
            last = node;
            MessageSegment.forEachInNode(node, e -> {
                if (wanted.contains(e)) {
                    found.add(e);
                }
            });
        }
    }

    /** What a node with these messages adds to the number that {@link #LIMIT} bounds. */
    private static int weight(int messages) {
        return Math.max(1, messages);
    }

    private static long count(@Nullable Envelope first) {
        long count = 0;
        for (Envelope e = first; e != null && count < LIMIT; e = e.next) {
            count += MessageSegment.messages(e);
        }
        return count;
    }

    /** The messages that were on the stack when the mailbox was closed. */
    private long closed() {
        Lifecycle l = actor.lifecycleIfAny();
        if (l == null) { // an actor for one task, which has no other messages
            return 0;
        }
        l.lock();
        try {
            return count(actor.lastAccepted());
        } finally {
            l.unlock();
        }
    }

    /** Adds the messages on the stack, whose newest comes first. */
    private void addStack(Positions positions) {
        var newestFirst = new ArrayList<Envelope>();
        int seen = 0;
        for (Envelope e = actor.newest(); e != null && seen < LIMIT; e = e.next) {
            newestFirst.add(e);
            seen += weight(MessageSegment.messages(e));
        }
        newestFirst.reversed().forEach(waiting -> positions.add(waiting, false));
    }

    /** Adds the messages of descendants during a drain, which are newer than all others. */
    private void addChildMessages(Positions positions) {
        Lifecycle l = actor.lifecycleIfAny();
        ChildMessages messages = l == null ? null : l.childMessagesIfAny();
        if (l == null || messages == null) {
            return;
        }
        l.lock();
        try {
            messages.forEach(waiting -> positions.add(waiting, false));
        } finally {
            l.unlock();
        }
    }

    /** The waiting asks, and the number of messages before each, including the current one. */
    static final class Positions {
        private final Map<Reply<?>, Integer> found = new HashMap<>();
        private int before;

        /** Adds the next node; the oldest comes first. */
        private void add(Envelope node, boolean isCurrent) {
            if (!(node instanceof MessageSegment s)) {
                addMessage(node, isCurrent);
                return;
            }
            Object message;
            for (int i = 0; (message = s.message(i)) != null; i++) {
                if (message instanceof Envelope e) {
                    addMessage(e, false);
                } else {
                    before++;
                }
            }
        }

        private void addMessage(Envelope envelope, boolean isCurrent) {
            if (envelope.isAsk()) {
                found.putIfAbsent(Objects.requireNonNull(envelope.reply), before);
            }
            if (isCurrent || envelope.reply != Reply.OF_SIGNAL) {
                before++;
            }
        }

        /** The number of messages before this ask; -1 if it was not found. */
        int of(Reply<?> ask) {
            return found.getOrDefault(ask, -1);
        }

        /** The number of all messages. */
        int size() {
            return before;
        }
    }
}
