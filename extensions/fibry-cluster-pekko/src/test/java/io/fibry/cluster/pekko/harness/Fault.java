package io.fibry.cluster.pekko.harness;

/**
 * An injected fault of a node, as recorded by the parent of the nodes. The checker uses it to excuse losses that a
 * cluster cannot avoid.
 *
 * @param time the start of the fault
 * @param node the faulty node
 * @param what the kind of fault, in one word
 * @param from the start of the period in which messages to or from this node may be lost
 * @param until the end of this period; both in {@link System#nanoTime}
 * @param wake the time at which a frozen node was resumed; 0 if it was not frozen
 */
public record Fault(long time, String node, String what, long from, long until, long wake) {

    String line() {
        return time + " " + node + " " + what + " " + from + " " + until + " " + wake + "\n";
    }

    static Fault parse(String line) {
        String[] parts = line.split(" ", -1);
        if (parts.length != 6) {
            throw new IllegalArgumentException("not a fault: " + line);
        }
        return new Fault(
                Long.parseLong(parts[0]),
                parts[1],
                parts[2],
                Long.parseLong(parts[3]),
                Long.parseLong(parts[4]),
                Long.parseLong(parts[5]));
    }
}
