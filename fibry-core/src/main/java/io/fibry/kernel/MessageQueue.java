package io.fibry.kernel;

import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a {@link LockedMailbox} in the order in which they are taken. All access is under the lock of the
 * mailbox.
 */
abstract class MessageQueue implements Iterable<Envelope> {

    /** Adds a message. An exception of the user's comparator propagates to the sender, which calls this method. */
    abstract void add(Envelope envelope);

    /** Returns the first message; null if there is none. */
    abstract @Nullable Envelope peek();

    /** Removes the first message; null if there is none. */
    abstract @Nullable Envelope poll();

    /** Removes this message. Returns false if it is absent. */
    abstract boolean remove(Envelope envelope);

    abstract int size();

    /** A FIFO queue. The messages are linked through their envelopes, so an entry takes no memory. */
    static final class ByArrival extends MessageQueue {

        private @Nullable Envelope first;
        private @Nullable Envelope last;
        private int size;

        @Override
        void add(Envelope envelope) {
            if (last == null) {
                first = envelope;
            } else {
                last.next = envelope;
            }
            last = envelope;
            size++;
        }

        @Override
        @Nullable
        Envelope peek() {
            return first;
        }

        @Override
        @Nullable
        Envelope poll() {
            Envelope f = first;
            if (f != null) {
                removeAfter(null, f);
            }
            return f;
        }

        @Override
        boolean remove(Envelope envelope) {
            Envelope before = null;
            for (Envelope e = first; e != null; e = e.next) {
                if (e == envelope) {
                    removeAfter(before, e);
                    return true;
                }
                before = e;
            }
            return false;
        }

        /** Unlinks an envelope. Its {@code next} is cleared: it is about to be the only one in hand. */
        private void removeAfter(@Nullable Envelope before, Envelope removed) {
            Envelope after = removed.next;
            removed.next = null;
            if (before == null) {
                first = after;
            } else {
                before.next = after;
            }
            if (after == null) {
                last = before;
            }
            size--;
        }

        @Override
        int size() {
            return size;
        }

        @Override
        public Iterator<Envelope> iterator() {
            return new Iterator<>() {
                private @Nullable Envelope next = first;

                @Override
                public boolean hasNext() {
                    return next != null;
                }

                @Override
                public Envelope next() {
                    Envelope e = next;
                    if (e == null) {
                        throw new NoSuchElementException();
                    }
                    next = e.next;
                    return e;
                }
            };
        }
    }

    /**
     * A queue in the order of the user's comparator. It is a tree rather than a heap, because a tree compares only when
     * a message is added: an exception of the comparator never reaches the consumer.
     */
    static final class ByOrder extends MessageQueue {

        /** A message and its arrival number. */
        private record Place(Envelope envelope, long number) {}

        private final TreeSet<Place> places;
        private long arrivals;

        ByOrder(Comparator<Object> order) {
            places = new TreeSet<>((a, b) -> compare(order, a, b));
        }

        /** Tasks come before messages, since the comparator is for messages only. Ties are in order of arrival. */
        private static int compare(Comparator<Object> by, Place a, Place b) {
            boolean taskA = a.envelope.reply == Reply.OF_TASK;
            boolean taskB = b.envelope.reply == Reply.OF_TASK;
            int first =
                    taskA || taskB ? Boolean.compare(taskB, taskA) : by.compare(a.envelope.message, b.envelope.message);
            return first != 0 ? first : Long.compare(a.number, b.number);
        }

        @Override
        void add(Envelope envelope) {
            places.add(new Place(envelope, arrivals++));
        }

        @Override
        @Nullable
        Envelope peek() {
            return places.isEmpty() ? null : places.first().envelope;
        }

        @Override
        @Nullable
        Envelope poll() {
            Place first = places.pollFirst();
            return first == null ? null : first.envelope;
        }

        @Override
        boolean remove(Envelope envelope) {
            return places.removeIf(place -> place.envelope == envelope);
        }

        @Override
        int size() {
            return places.size();
        }

        @Override
        public Iterator<Envelope> iterator() {
            return places.stream().map(Place::envelope).iterator();
        }
    }
}
