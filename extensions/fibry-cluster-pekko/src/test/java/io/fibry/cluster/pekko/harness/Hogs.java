package io.fibry.cluster.pekko.harness;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/** Threads that keep all processors busy. */
final class Hogs {

    private volatile boolean ended;

    private Hogs() {}

    /** Runs code while all processors are busy. */
    static <T> T during(Callable<T> code) throws Exception {
        var hogs = new Hogs();
        List<Thread> threads = IntStream.range(0, Runtime.getRuntime().availableProcessors())
                .mapToObj(i -> Thread.ofPlatform().name("hog").daemon().start(hogs::spin))
                .toList();
        try {
            return code.call();
        } finally {
            hogs.ended = true;
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private void spin() {
        while (!ended) {
            Thread.onSpinWait();
        }
    }
}
