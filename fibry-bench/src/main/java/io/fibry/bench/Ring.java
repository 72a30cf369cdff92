package io.fibry.bench;

import io.fibry.bench.peers.Receiver;
import java.util.function.IntUnaryOperator;

/** Actors that each forward a message to the next one. The message counts down its hops. */
final class Ring {

    private final PeerBenchmark benchmark;
    private final Member[] members;
    private final Object[] actors;
    private long hops;

    /** Creates a single ring: the last actor forwards the message to the first. */
    Ring(PeerBenchmark benchmark, int size) {
        this(benchmark, size, i -> (i + 1) % size);
    }

    /**
     * Actors in rings.
     *
     * @param next the number of the actor to which another one passes the message
     */
    Ring(PeerBenchmark benchmark, int size, IntUnaryOperator next) {
        this.benchmark = benchmark;
        members = new Member[size];
        actors = new Object[size];
        benchmark.actors.inside(() -> {
            for (int i = 0; i < size; i++) {
                members[i] = new Member(next.applyAsInt(i));
                actors[i] = benchmark.kept(benchmark.actors.actor(members[i]));
            }
        });
    }

    private final class Member implements Receiver {
        private final int next;
        private int handled;

        Member(int next) {
            this.next = next;
        }

        @Override
        public void accept(Object message) {
            handled++;
            int left = (Integer) message;
            if (left == 0) {
                benchmark.done.release();
            } else {
                benchmark.actors.tell(actors[next], left - 1);
            }
        }
    }

    /** Sends a message into the ring, which counts as a hop, and waits until it has made all hops. */
    void run(int from, int count) throws InterruptedException {
        hops += count;
        benchmark.actors.tell(actors[from], count - 1);
        benchmark.done.acquire();
    }

    /** Checks that the members have handled exactly one message per hop. */
    void verify() {
        long handled = 0;
        for (Member member : members) {
            handled += member.handled;
        }
        PeerBenchmark.check(hops, handled);
    }
}
