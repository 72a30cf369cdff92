package io.fibry.bench.durable;

import io.fibry.ActorSystem;
import io.fibry.bench.latency.Finding;
import io.fibry.bench.latency.Latencies;
import io.fibry.codec.RecordCodec;
import io.fibry.durable.Change;
import io.fibry.durable.Durable;
import io.fibry.durable.DurableEntities;
import io.fibry.durable.DurableOptions;
import io.fibry.durable.DurableRef;
import io.fibry.durable.DurableType;
import io.fibry.durable.StateTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time from the due time of a reminder until its entity handles it. At a fixed rate, another entity sets a reminder
 * that is due a second later. Each reminder must be handled exactly once, and not before it is due.
 */
final class Lateness {

    private static final Duration DELAY = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(Accounts.PATIENCE);

    /** Sets the reminder, or is the reminder. The due time is in milliseconds since 1970. */
    private record Message(boolean isReminder, long due) {}

    private static final DurableType<Message, Long> TYPE =
            DurableType.of("late", RecordCodec.of(Message.class), RecordCodec.of(Long.class));

    private final long number;
    private final Instant warm;
    private final Latencies latencies = new Latencies();
    private final AtomicLong handled = new AtomicLong();
    private final AtomicLong early = new AtomicLong();
    private final CountDownLatch last;

    private Lateness(long number, Instant warm) {
        this.number = number;
        this.warm = warm;
        last = new CountDownLatch(Math.toIntExact(number));
    }

    /** Returns the lateness of reminders that are due at this rate, after a warm-up of half the time. */
    static List<Finding> measure(Database database, int perSecond, Duration time) throws Exception {
        Duration half = time.dividedBy(2);
        long number = Math.max(2, Math.round(perSecond * time.plus(half).toNanos() / 1e9));
        try (FibryStore opened = FibryStore.open(database);
                var system = ActorSystem.create()) {
            var lateness = new Lateness(number, Instant.now().plus(half).plus(DELAY));
            var table = StateTable.of(opened.store(), TYPE, RecordCodec.of(Long.class), lateness.new Reminded());
            try (var entities = DurableEntities.start(system.actor(), table, DurableOptions.defaults())) {
                return lateness.run(entities, Duration.ofSeconds(1).dividedBy(perSecond));
            }
        }
    }

    private List<Finding> run(DurableEntities<Message, Long> entities, Duration interval) throws Exception {
        List<CompletableFuture<Long>> set = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < number; i++) {
            TimeUnit.NANOSECONDS.sleep(start + i * interval.toNanos() - System.nanoTime());
            DurableRef<Message, Long> entity = entities.ref("entity" + i);
            set.add(entity.ask(new Message(false, Instant.now().plus(DELAY).toEpochMilli()), TIMEOUT));
        }
        for (CompletableFuture<Long> reply : set) {
            Load.expect("the reply to a new entity", 0, reply.join());
        }
        if (!last.await(Accounts.PATIENCE, TimeUnit.SECONDS)) {
            throw new IllegalStateException("only " + handled + " of " + number + " reminders were handled");
        }
        List<Finding> found = latencies.findings("");
        found.add(new Finding("count", latencies.count(), "#"));
        for (int i = 0; i < number; i++) {
            long times = entities.ref("entity" + i)
                    .ask(new Message(false, 0), TIMEOUT)
                    .join();
            Load.expect("the number of handled reminders of an entity", 1, times);
        }
        Load.expect("the number of handled reminders", number, handled.get());
        Load.expect("the number of reminders before their time", 0, early.get());
        return found;
    }

    /** Its state is the number of handled reminders. */
    private final class Reminded implements Durable<Long, Message, Long> {

        @Override
        public Long initial() {
            return 0L;
        }

        @Override
        public Change<Long, Long> handle(Long count, Message message) {
            if (message.isReminder()) {
                record(Instant.ofEpochMilli(message.due()));
                return Change.to(count + 1, count);
            } else if (message.due() == 0) {
                return Change.none(count);
            }
            Instant due = Instant.ofEpochMilli(message.due());
            return Change.none(count, TYPE.remind("due", due, new Message(true, message.due())));
        }

        private void record(Instant due) {
            Duration late = Duration.between(due, Instant.now());
            if (late.isNegative()) {
                early.incrementAndGet();
            }
            if (due.isAfter(warm)) {
                latencies.record(System.nanoTime() - late.toNanos());
            }
            handled.incrementAndGet();
            last.countDown();
        }
    }
}
