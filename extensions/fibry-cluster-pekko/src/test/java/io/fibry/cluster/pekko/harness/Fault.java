package io.fibry.cluster.pekko.harness;

/**
 * Something done to a node on purpose, as the parent of the nodes has noted it. The checker excuses with it what a cluster cannot avoid.
 *
 * @param time when it began
 * @param node the node that it was done to
 * @param what a word for it
 * @param from messages to or from this node may get lost if they were sent from here
 * @param until to here; both {@link System#nanoTime}
 * @param wake when a frozen node was woken; 0 if it was not frozen
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
