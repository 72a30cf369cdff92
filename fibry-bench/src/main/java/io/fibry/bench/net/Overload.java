package io.fibry.bench.net;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Tests whether a server that refuses a crowd continues to serve other clients at full rate. The served clients are in
 * this process; the crowd comes from another process, at a fixed rate. The crowd itself uses a part of the machine, so
 * in one round it connects to another server, which only accepts and resets.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=net.Overload -Dargs="tcp"}. The arguments are
 * the service, the seconds, the rounds, and the clients of the crowd per second. The services are {@code tcp}, an echo
 * of bytes, and {@code http}, a page, by a server with room for exactly the connections of the served clients; and
 * {@code busy}, a slow page, by a server with room for the same number of requests of any client.
 */
final class Overload {

    private static final double NANOS = 1e9;

    private enum Crowded {
        NOWHERE,
        ELSEWHERE,
        HERE,
        NOWHERE_AGAIN
    }

    private final Child server;
    private final Child other;
    private final Child crowd;
    private final LongAdder answers = new LongAdder();
    private final Map<Crowded, List<Double>> rates = new EnumMap<>(Crowded.class);
    private final List<Double> refusals = new ArrayList<>();

    private Overload(Child server, Child other, Child crowd) {
        this.server = server;
        this.other = other;
        this.crowd = crowd;
    }

    public static void main(String[] args) throws Exception {
        String kind = args.length > 0 ? args[0] : "tcp";
        double seconds = args.length > 1 ? Double.parseDouble(args[1]) : 5;
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 3;
        String perSecond = args.length > 3 ? args[3] : "1000";
        List<String> jvm = List.of("-Xmx256m");
        try (Child server = Child.start(CrowdedServer.class, jvm, kind);
                Child other = Child.start(CrowdedServer.class, jvm, "none");
                Child crowd = Child.start(Crowd.class, jvm, kind, perSecond)) {
            var overload = new Overload(server, other, crowd);
            overload.run(!kind.equals("tcp"), seconds, rounds);
            System.out.printf("%s, %d clients; medians of %d rounds%n", kind, CrowdedServer.ROOM, rounds);
            overload.print();
        }
    }

    private void run(boolean http, double seconds, int rounds) throws IOException, InterruptedException {
        int port = (int) server.number("port");
        var clients = new ArrayList<Served>();
        for (int i = 0; i < CrowdedServer.ROOM; i++) {
            clients.add(new Served(port, http, answers));
        }
        for (int round = -1; round < rounds; round++) { // the first one warms up
            for (Crowded where : Crowded.values()) {
                measure(where, seconds, round >= 0);
            }
        }
        for (Served client : clients) {
            client.halt();
        }
    }

    private void measure(Crowded where, double seconds, boolean counts) throws IOException, InterruptedException {
        boolean comes = where == Crowded.ELSEWHERE || where == Crowded.HERE;
        if (comes) {
            crowd.ask("go " + (where == Crowded.HERE ? server : other).number("port"));
        }
        long start = System.nanoTime();
        long before = answers.sum();
        Thread.sleep((long) (seconds * 1000));
        long answered = answers.sum() - before;
        double took = (System.nanoTime() - start) / NANOS;
        long refused = 0;
        if (comes) {
            String[] result = crowd.ask("halt").split(" ", -1);
            refused = Long.parseLong(result[0]);
            answered += Long.parseLong(result[1]);
        }
        if (counts) {
            rates.computeIfAbsent(where, w -> new ArrayList<>()).add(answered / took);
            if (where == Crowded.HERE) {
                refusals.add(refused / took);
            }
        }
    }

    private void print() {
        double alone = rate(Crowded.NOWHERE);
        double elsewhere = rate(Crowded.ELSEWHERE);
        double here = rate(Crowded.HERE);
        double after = rate(Crowded.NOWHERE_AGAIN);
        System.out.printf("%36s %,8.0f requests/s%n", "alone", alone);
        System.out.printf("%36s %,8.0f, %.2f of alone%n", "a crowd at another server", elsewhere, elsewhere / alone);
        System.out.printf(
                "%36s %,8.0f, %.2f of that before; %,.0f refused/s%n",
                "the crowd at this server", here, here / elsewhere, Rates.median(refusals));
        System.out.printf("%36s %,8.0f, %.2f of alone%n", "after it", after, after / alone);
    }

    private double rate(Crowded where) {
        return Rates.median(rates.getOrDefault(where, List.of()));
    }
}
