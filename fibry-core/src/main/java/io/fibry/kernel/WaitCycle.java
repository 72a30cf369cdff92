package io.fibry.kernel;

import io.fibry.AskDeadlockException;
import io.fibry.dispatch.LogText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A cycle in the wait-for graph, for exceptions and logs. Each edge ends where the next one begins. */
record WaitCycle(List<Edge> edges) {

    /** The maximum number of actors in a message. */
    private static final int MOST = 10;

    /** An actor waits for another one. */
    record Edge(String from, WaitGraph.Kind kind, String to, List<StackTraceElement> stack) {

        @Override
        public String toString() {
            return "actor " + from + " waits for " + kind.what + " " + to;
        }
    }

    /** The stack of a handler that waits. */
    private static final class WaitingStack extends Exception {
        private static final long serialVersionUID = 1;

        WaitingStack(Edge edge) {
            super(LogText.plain(edge), null, false, true);
            setStackTrace(edge.stack().toArray(new StackTraceElement[0]));
        }

        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    }

    boolean isOfMailboxes() {
        return edges.stream().allMatch(edge -> edge.kind() == WaitGraph.Kind.ROOM);
    }

    /** The names in order; the first name is repeated at the end. */
    List<String> names() {
        var names = new ArrayList<String>();
        edges.forEach(edge -> names.add(edge.from()));
        names.add(names.getFirst());
        return names;
    }

    /** Returns an exception with the stacks of the first actors. */
    AskDeadlockException exception() {
        return new AskDeadlockException(
                text(),
                names(),
                edges.stream().limit(MOST).map(WaitingStack::new).toList());
    }

    /** The names as text; the first name is repeated at the end. */
    private String text() {
        List<String> names = edges.stream().map(Edge::from).toList();
        return few(names, " -> ") + " -> " + names.getFirst();
    }

    /** The first ten texts, and the number of the others. */
    static String few(List<String> texts, String separator) {
        String first = texts.stream().limit(MOST).collect(Collectors.joining(separator));
        int others = texts.size() - MOST;
        return others <= 0
                ? first
                : first + String.format(Locale.ROOT, "%s%,d %s", separator, others, others == 1 ? "other" : "others");
    }

    @Override
    public String toString() {
        return few(edges.stream().map(Edge::toString).toList(), ", ");
    }
}
