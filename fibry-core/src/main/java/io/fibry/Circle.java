package io.fibry;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Actors that wait for each other, for those who learn of it. Each edge ends where the next one begins. */
record Circle(List<Edge> edges) {

    /** An actor waits for another one. */
    record Edge(String from, Waits.Kind kind, String to, List<StackTraceElement> stack) {

        @Override
        public String toString() {
            return "actor " + from + " waits for " + kind.what + " " + to;
        }
    }

    /** The stack of a handler that waits. */
    private static final class WaitingStack extends Exception {
        private static final long serialVersionUID = 1;

        WaitingStack(Edge edge) {
            super(edge.toString(), null, false, true);
            setStackTrace(edge.stack().toArray(new StackTraceElement[0]));
        }

        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    }

    boolean isOfMailboxes() {
        return edges.stream().allMatch(edge -> edge.kind() == Waits.Kind.ROOM);
    }

    /** The names in order, the first one again at the end. */
    List<String> names() {
        var names = new ArrayList<String>();
        edges.forEach(edge -> names.add(edge.from()));
        names.add(names.getFirst());
        return names;
    }

    AskDeadlockException exception() {
        return new AskDeadlockException(
                names(), edges.stream().map(WaitingStack::new).toList());
    }

    @Override
    public String toString() {
        return edges.stream().map(Edge::toString).collect(Collectors.joining(", "));
    }
}
