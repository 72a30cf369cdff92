package io.fibry.bench.latency;

import java.util.ArrayList;
import java.util.List;

/** Platform threads that occupy processors until they are halted. */
final class BusyProcessors {

    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean halted;

    BusyProcessors(int processors) {
        for (int i = 0; i < processors; i++) {
            threads.add(Thread.ofPlatform().daemon().name("busy-" + i).start(this::spin));
        }
    }

    private void spin() {
        while (!halted) {
            Thread.onSpinWait();
        }
    }

    void halt() throws InterruptedException {
        halted = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
