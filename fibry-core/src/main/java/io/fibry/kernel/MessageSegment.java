package io.fibry.kernel;

import io.fibry.dispatch.OutOfMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A node of a {@link Mailbox} with many messages, which makes its stack an unrolled linked list. A plain message takes
 * one place in an array and no envelope. A long backlog therefore takes a fifth of the memory, and the references to
 * its messages are adjacent. The consumer creates their envelopes when it reaches the segment. If the newest node is a
 * segment, any other message is added to it with its envelope: an ask, a task, a signal, or an
 * {@link InstrumentedEnvelope}. A group of messages is linked above it.
 *
 * <p>A segment is created only above another node. The oldest node of a stack is therefore not a segment.
 *
 * <p><b>States of a place.</b> A place is null, then a message or {@link #END}. A snapshot may replace a plain message
 * by its envelope; otherwise the place does not change again. A sender adds its message by a compare-and-set from null,
 * and tries the places in ascending order, so there is no empty place before a message. The thread that takes the stack
 * is the consumer or the closer. It first changes the top of the mailbox, and then seals each segment: it sets the
 * first empty place, if there is one, to END by a compare-and-set. A later sender finds END or no empty place, and
 * reads the top again.
 *
 * <p>A message that was added precedes END, so the consumer takes it. A sender that has read the top may add its
 * message to a segment that is no longer the top, until the seal. Its call began before the top changed. It overlaps
 * every call whose message is above the segment, and the close, so its message may precede them.
 *
 * <p><b>Memory order.</b> The compare-and-set of a place publishes the actions before it to the consumer, which reads
 * the place with acquire semantics.
 */
final class MessageSegment extends Envelope {

    private static final int FIRST_CAPACITY = 8;
    private static final int MAX_CAPACITY = 64;
    private static final Object END = new Object();
    private static final Function<MessageSegment, Envelope> UNPACK = MessageSegment::unpack;
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(Object[].class);
    private static final VarHandle USED;

    static {
        try {
            USED = MethodHandles.lookup().findVarHandle(MessageSegment.class, "used", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
        link();
    }

    private final @Nullable Object[] places;

    /** A lower bound of the number of messages, where the search for an empty place begins. */
    private volatile int used;

    /** Creates a segment with its first message, and with twice the capacity of the segment below. */
    MessageSegment(Envelope below, Object first) {
        super(END, Reply.OF_SEGMENT);
        int capacity = below instanceof MessageSegment s ? Math.min(2 * s.places.length, MAX_CAPACITY) : FIRST_CAPACITY;
        places = new Object[capacity];
        places[0] = first;
        next = below;
    }

    /** Executes the access to each variable once. The first execution needs memory, which may be exhausted later. */
    private static void link() {
        var envelope = new Envelope(END, null);
        var segment = new MessageSegment(envelope, envelope);
        segment.add("message");
        segment.seal();
        segment.unpacked();
        newest(segment);
    }

    /**
     * Whether a plain message is stored in a segment, for the newest node: it is a segment, or a plain message with at
     * least two nodes below it. The newest node of an actor with a bounded mailbox is a signal. Any thread.
     */
    static boolean isBacklog(Envelope newest) {
        if (newest.reply != null) {
            return newest instanceof MessageSegment;
        }
        Envelope older = newest.next;
        return older != null && older.next != null;
    }

    /**
     * Adds a plain message, or another one with its envelope. Returns false if there is no empty place, or no longer
     * one. Any thread.
     */
    boolean add(Object message) {
        for (int i = used; i < places.length; i++) {
            Object found = place(i);
            if (found == null) {
                found = PLACE.compareAndExchange(places, i, null, message);
            }
            if (found == null) {
                USED.setRelease(this, i + 1); // no fence: a lower bound
                return true;
            }
            if (found == END) {
                return false;
            }
        }
        return false;
    }

    /** Called by the thread that has taken the segment from the stack. */
    @Override
    void seal() {
        for (int i = used; i < places.length; i++) {
            if (PLACE.compareAndSet(places, i, null, END)) {
                return;
            }
        }
    }

    /** The messages of this sealed segment, before the nodes after it. Waits for memory if necessary. Consumer only. */
    Envelope unpacked() {
        return OutOfMemory.get(UNPACK, this);
    }

    /** Other threads that read the list still find the segment, whose messages do not change. */
    private Envelope unpack() {
        Envelope first = envelope(Objects.requireNonNull(message(0)));
        Envelope last = first;
        Object message;
        for (int i = 1; (message = message(i)) != null; i++) {
            Envelope envelope = envelope(message);
            last.next = envelope;
            last = envelope;
        }
        last.next = next;
        return first;
    }

    private static Envelope envelope(Object message) {
        return message instanceof Envelope e ? e : new Envelope(message, null);
    }

    private @Nullable Object place(int i) {
        return PLACE.getAcquire(places, i);
    }

    /** The message in a place: a plain one, or another in its envelope; null behind the last one. Any thread. */
    @Nullable
    Object message(int i) {
        Object found = i < places.length ? place(i) : null;
        return found == END ? null : found;
    }

    // ---- other threads

    /** The number of messages of a node that are not signals. Any thread. */
    static int messages(Envelope node) {
        if (!(node instanceof MessageSegment s)) {
            return node.reply == Reply.OF_SIGNAL ? 0 : 1;
        }
        int count = 0;
        Object message;
        for (int i = 0; (message = s.message(i)) != null; i++) {
            count += message instanceof Envelope e && e.reply == Reply.OF_SIGNAL ? 0 : 1;
        }
        return count;
    }

    /** Passes the envelopes of a list to the action. Skips plain messages in segments. Any thread. */
    static void forEachEnvelope(@Nullable Envelope first, Consumer<Envelope> action) {
        for (Envelope node = first; node != null; node = node.next) {
            forEachInNode(node, action);
        }
    }

    /** As {@link #forEachEnvelope}, of one node. */
    static void forEachInNode(Envelope node, Consumer<Envelope> action) {
        if (!(node instanceof MessageSegment s)) {
            action.accept(node);
            return;
        }
        Object message;
        for (int i = 0; (message = s.message(i)) != null; i++) {
            if (message instanceof Envelope e) {
                action.accept(e);
            }
        }
    }

    /**
     * The newest message of a node that is not a signal, in the envelope in which the actor will receive it; null if
     * there is none. A segment that the consumer is unpacking may return another envelope of the message. Any thread.
     */
    static @Nullable Envelope newest(Envelope node) {
        if (!(node instanceof MessageSegment s)) {
            return node.reply == Reply.OF_SIGNAL ? null : node;
        }
        for (int i = s.places.length - 1; i >= 0; i--) {
            Object message = s.message(i);
            Envelope envelope = message == null ? null : s.inPlace(i, message);
            if (envelope != null && envelope.reply != Reply.OF_SIGNAL) {
                return envelope;
            }
        }
        return null;
    }

    /** Replaces a plain message by its envelope. */
    private Envelope inPlace(int i, Object message) {
        Envelope envelope = envelope(message);
        return envelope == message || PLACE.compareAndSet(places, i, message, envelope)
                ? envelope
                : (Envelope) Objects.requireNonNull(place(i)); // another thread has done it
    }
}
