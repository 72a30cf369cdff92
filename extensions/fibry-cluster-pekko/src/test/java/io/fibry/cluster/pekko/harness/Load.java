package io.fibry.cluster.pekko.harness;

import io.fibry.entity.Entities;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that sends messages at a steady rate, repeatedly to each key in random order. A fraction of them are asks.
 */
final class Load {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** The maximum backlog, in nanoseconds, that is sent after a pause of this process. */
    private static final long CATCH_UP = 100_000_000;

    private final Entities<String, Message, Reply> entities;
    private final Sender sender;
    private final List<String> order = new ArrayList<>();
    private final long interval;
    private final Random random;
    private final Thread thread = Thread.ofPlatform().name("load").unstarted(this::run);

    /** The outcomes of the messages, with their counts. */
    private final Map<String, LongAdder> counts = new ConcurrentSkipListMap<>();

    private final LongAdder waiting = new LongAdder();
    private final int asksOfTen;
    private int place;
    private volatile boolean stopped;

    Load(Entities<String, Message, Reply> entities, Sender sender, int rate, int keys, long seed, int asksOfTen) {
        this.asksOfTen = asksOfTen;
        this.entities = entities;
        this.sender = sender;
        for (int i = 0; i < keys; i++) {
            order.add(key(i));
        }
        interval = 1_000_000_000L / rate;
        random = new Random(seed);
    }

    void start() {
        thread.start();
    }

    private void run() {
        long next = System.nanoTime();
        while (!stopped) {
            long now = System.nanoTime();
            next = Math.max(next, now - CATCH_UP);
            while (next <= now && !stopped) {
                send();
                next += interval;
            }
            LockSupport.parkNanos(next - now);
        }
    }

    private void send() {
        if (place == 0) {
            Collections.shuffle(order, random);
        }
        Message message = sender.message(order.get(place), 0, false);
        place = (place + 1) % order.size();
        if (random.nextInt(10) < asksOfTen) {
            waiting.increment();
            CompletableFuture<?> unused = sender.ask(entities, message, TIMEOUT).thenAccept(outcome -> {
                count(outcome.reply() == null ? "ask-" + outcome.text() : "answered");
                waiting.decrement();
            });
        } else {
            RuntimeException refusal = sender.tell(entities, message);
            count(refusal == null ? "told" : "tell-" + refusal.getClass().getSimpleName());
        }
    }

    static String key(int number) {
        return "k" + number;
    }

    private void count(String what) {
        counts.computeIfAbsent(what, w -> new LongAdder()).increment();
    }

    /** Stops to send, and waits for open asks, with a limit. Returns the outcomes of all messages. */
    String stop() throws InterruptedException {
        stopped = true;
        thread.join();
        long start = System.nanoTime();
        while (waiting.sum() > 0 && System.nanoTime() - start < 4 * TIMEOUT.toNanos()) {
            LockSupport.parkNanos(1_000_000);
        }
        var text = new TreeMap<String, Long>();
        counts.forEach((what, count) -> text.put(what, count.sum()));
        text.put("hanging", waiting.sum());
        return text.toString().replace(" ", "");
    }
}
