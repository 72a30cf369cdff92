package io.fibry.bench;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** What is measured: each of these does the same work with any peer, checks the result, and tells the cost of one operation. */
enum Work {
    CREATE("create an idle actor", "ns") {
        @Override
        double once(Peer peer) {
            int n = 200_000;
            var actors = new Object[n];
            long start = System.nanoTime();
            for (int i = 0; i < n; i++) {
                actors[i] = peer.actor(message -> {});
            }
            double nanos = nanosSince(start, n);
            check(actors[n - 1] != null, "the actors are alive");
            return nanos;
        }
    },
    HEAP("heap of an idle actor", "B") {
        @Override
        double once(Peer peer) {
            int n = 200_000;
            var actors = new Object[n];
            long before = usedHeap();
            for (int i = 0; i < n; i++) {
                actors[i] = peer.actor(message -> {});
            }
            long after = usedHeap();
            check(actors[n - 1] != null, "the actors are alive");
            return (double) (after - before) / n;
        }
    },
    REQUEST_REPLY("request-reply, actor to actor", "ns") {
        @Override
        double once(Peer peer) throws InterruptedException {
            int n = 200_000;
            Object square = peer.replyActor(x -> (Integer) x * (Integer) x);
            var sum = new AtomicLong();
            var done = new CountDownLatch(1);
            Object asker = peer.actor(message -> {
                long s = 0;
                for (int i = 0; i < n; i++) {
                    s += (Integer) peer.ask(square, i & 1023);
                }
                sum.set(s);
                done.countDown();
            });
            long start = System.nanoTime();
            peer.tell(asker, "go");
            done.await();
            double nanos = nanosSince(start, n);
            check(sum.get() == sumOfSquares(n), "every answer is right");
            return nanos;
        }
    },
    REQUEST_REPLY_VIRTUAL("request-reply, from a virtual thread", "ns") {
        @Override
        double once(Peer peer) throws InterruptedException {
            int n = 200_000;
            Object square = peer.replyActor(x -> (Integer) x * (Integer) x);
            var sum = new AtomicLong();
            long start = System.nanoTime();
            Thread.ofVirtual()
                    .start(() -> {
                        for (int i = 0; i < n; i++) {
                            sum.addAndGet((Integer) peer.ask(square, i & 1023));
                        }
                    })
                    .join();
            double nanos = nanosSince(start, n);
            check(sum.get() == sumOfSquares(n), "every answer is right");
            return nanos;
        }
    },
    TELL("tell, one producer", "ns") {
        @Override
        double once(Peer peer) throws InterruptedException {
            return tell(peer, 1);
        }
    },
    TELL_4("tell, four producers to one actor", "ns") {
        @Override
        double once(Peer peer) throws InterruptedException {
            return tell(peer, 4);
        }
    },
    RING("ring of 1,000 actors, one hop", "ns") {
        @Override
        double once(Peer peer) throws InterruptedException {
            return ring(peer, 1_000, 1_000_000);
        }
    },
    PING_PONG("ping-pong by tell, round trip", "ns") {
        @Override
        double once(Peer peer) throws InterruptedException {
            return 2 * ring(peer, 2, 1_000_000);
        }
    },
    BLOCKED("1,000,000 handlers blocked for 1 s", "ms") {
        @Override
        double once(Peer peer) throws InterruptedException {
            int n = 1_000_000;
            var done = new CountDownLatch(n);
            long start = System.nanoTime();
            for (int i = 0; i < n; i++) {
                peer.tell(peer.actor(message -> sleepASecondAnd(done)), "go");
            }
            done.await();
            return (System.nanoTime() - start) / 1e6;
        }
    },
    BLOCKED_BARE("1,000,000 bare virtual threads blocked for 1 s", "ms") {
        @Override
        double once(Peer peer) throws InterruptedException {
            int n = 1_000_000;
            var done = new CountDownLatch(n);
            long start = System.nanoTime();
            for (int i = 0; i < n; i++) {
                Thread.startVirtualThread(() -> sleepASecondAnd(done));
            }
            done.await();
            return (System.nanoTime() - start) / 1e6;
        }
    };

    final String title;
    final String unit;

    Work(String title, String unit) {
        this.title = title;
        this.unit = unit;
    }

    /** The cost of one operation, in this work's unit. */
    abstract double once(Peer peer) throws InterruptedException;

    private static double tell(Peer peer, int producers) throws InterruptedException {
        int each = 4_000_000 / producers;
        int total = each * producers;
        var count = new int[1];
        var done = new CountDownLatch(1);
        Object counter = peer.actor(message -> {
            if (++count[0] == total) {
                done.countDown();
            }
        });
        long start = System.nanoTime();
        for (int p = 0; p < producers; p++) {
            Thread.ofPlatform().start(() -> {
                for (int i = 0; i < each; i++) {
                    peer.tell(counter, "message");
                }
            });
        }
        done.await();
        return nanosSince(start, total);
    }

    private static double ring(Peer peer, int size, int hops) throws InterruptedException {
        var ring = new Object[size];
        var done = new CountDownLatch(1);
        for (int i = 0; i < size; i++) {
            int next = (i + 1) % size;
            ring[i] = peer.actor(left -> {
                if ((Integer) left == 0) {
                    done.countDown();
                } else {
                    peer.tell(ring[next], (Integer) left - 1);
                }
            });
        }
        long start = System.nanoTime();
        peer.tell(ring[0], hops);
        done.await();
        return nanosSince(start, hops);
    }

    private static void sleepASecondAnd(CountDownLatch done) {
        try {
            Thread.sleep(1_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        done.countDown();
    }

    private static long sumOfSquares(int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            sum += (long) (i & 1023) * (i & 1023);
        }
        return sum;
    }

    private static double nanosSince(long start, int operations) {
        return (double) (System.nanoTime() - start) / operations;
    }

    private static long usedHeap() {
        var runtime = Runtime.getRuntime();
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static void check(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException("not true: " + what);
        }
    }
}
