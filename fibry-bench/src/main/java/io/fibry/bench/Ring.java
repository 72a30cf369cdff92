package io.fibry.bench;

/** Actors that each pass a message on to the next one, and the last one to the first. The message counts its hops down. */
final class Ring {

    private final PeerBenchmark benchmark;
    private final Object[] members;

    Ring(PeerBenchmark benchmark, int size) {
        this.benchmark = benchmark;
        members = new Object[size];
        for (int i = 0; i < size; i++) {
            int next = (i + 1) % size;
            members[i] = benchmark.kept(benchmark.actors.actor(message -> pass((Integer) message, next)));
        }
    }

    private void pass(int left, int next) {
        if (left == 0) {
            benchmark.done.release();
        } else {
            benchmark.actors.tell(members[next], left - 1);
        }
    }

    /** Sends a message on its way and waits until it has made its hops; the one into the ring counts. */
    void run(int from, int hops) throws InterruptedException {
        benchmark.actors.tell(members[from], hops - 1);
        benchmark.done.acquire();
    }
}
