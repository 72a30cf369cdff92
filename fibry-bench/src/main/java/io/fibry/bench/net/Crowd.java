package io.fibry.bench.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that arrive at a fixed rate, each with its own connection and, for HTTP, its own request, and record whether
 * they are served. They arrive from {@code go PORT} to {@code halt}, whose answer is the numbers of refused and served
 * clients.
 */
final class Crowd {

    private static final int THREADS = 16;

    private final int port;
    private final boolean http;
    private final long interval;
    private final LongAdder refused = new LongAdder();
    private final LongAdder served = new LongAdder();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean halted;

    private Crowd(int port, boolean http, int perSecond) {
        this.port = port;
        this.http = http;
        interval = 1_000_000_000L * THREADS / perSecond;
    }

    /** The arguments are {@code tcp} or {@code http}, and the clients per second. */
    public static void main(String[] args) throws Exception {
        boolean http = !args[0].equals("tcp");
        int perSecond = Integer.parseInt(args[1]);
        var current = new Crowd[1];
        Child.answer(question -> {
            if (question.equals("halt")) {
                return current[0].halt();
            }
            current[0] = new Crowd(Integer.parseInt(question.replace("go ", "")), http, perSecond);
            return current[0].go();
        });
    }

    private String go() {
        long start = System.nanoTime();
        for (int i = 0; i < THREADS; i++) {
            long first = start + i * interval / THREADS;
            threads.add(Thread.ofPlatform().start(() -> come(first)));
        }
        return "gone";
    }

    private String halt() throws InterruptedException {
        halted = true;
        for (Thread thread : threads) {
            thread.join();
        }
        return refused.sum() + " " + served.sum();
    }

    /**
     * Starts clients one after the other. A late client starts at once, and a backlog of more than one interval is
     * dropped.
     */
    private void come(long first) {
        for (long next = first; !halted; next = Math.max(next + interval, System.nanoTime() - interval)) {
            for (long left = next - System.nanoTime(); left > 0; left = next - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            (isServed() ? served : refused).increment();
        }
    }

    private boolean isServed() {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(Served.PATIENCE_MILLIS);
            return http
                    ? Served.isAnswered(socket.getInputStream(), socket)
                    : socket.getInputStream().read() >= 0;
        } catch (IOException reset) {
            return false;
        }
    }
}
