package io.fibry.bench;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tests the capacity of this machine for idle actors: creates 100 million actors, sends a message to one in a million
 * of them as a check, and prints the time and the peak memory of the process.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=HundredMillion -Dbench.jvm="-Xms8g -Xmx8g
 * -XX:+UseParallelGC"}
 */
final class HundredMillion {

    private static final int CHUNK = 1_000_000;

    private HundredMillion() {}

    public static void main(String[] args) throws Exception {
        int chunks = args.length > 0 ? Integer.parseInt(args[0]) : 100;
        var alive = new java.util.concurrent.CountDownLatch(chunks);
        var actors = new Object[chunks][];
        long start = System.nanoTime();
        for (int c = 0; c < chunks; c++) {
            actors[c] = new Object[CHUNK];
            for (int i = 0; i < CHUNK; i++) {
                actors[c][i] = ActorSystem.anonymous()
                        .strategy(ThreadStrategy.virtual())
                        .newActor((String message) -> alive.countDown());
            }
            if ((c + 1) % 10 == 0) {
                System.out.printf("%d million actors after %.1f s%n", c + 1, (System.nanoTime() - start) / 1e9);
            }
        }
        for (Object[] chunk : actors) {
            tell(chunk[CHUNK / 2]);
        }
        alive.await();
        System.out.printf("%d million actors, all alive after %.1f s%n", chunks, (System.nanoTime() - start) / 1e9);
        Path status = Path.of("/proc/self/status");
        if (Files.exists(status)) {
            Files.readAllLines(status).stream()
                    .filter(line -> line.startsWith("VmHWM"))
                    .forEach(System.out::println);
        }
    }

    @SuppressWarnings("unchecked")
    private static void tell(Object actor) {
        ((Actor<String>) actor).tell("are you there?");
    }
}
