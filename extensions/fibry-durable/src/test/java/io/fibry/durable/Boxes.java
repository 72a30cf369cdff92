package io.fibry.durable;

import io.fibry.codec.RecordCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * A sender and a receiver, both durable, and a client that asks the sender to send numbers, and repeats each ask with
 * the same request key until it succeeds.
 */
final class Boxes implements AutoCloseable {

    sealed interface Message {

        record Send(long number) implements Message {}

        record Receive(long number) implements Message {}

        record Read() implements Message {}
    }

    /** The numbers that a box has sent or received. */
    record Box(List<Long> numbers) {

        Box with(long number) {
            var more = new ArrayList<>(numbers);
            more.add(number);
            return new Box(more);
        }
    }

    static final DurableType<Message, Box> TYPE =
            DurableType.of("box", RecordCodec.of(Message.class), RecordCodec.of(Box.class));

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final DurableEntities<Message, Box> boxes;
    private final Thread client = Thread.ofVirtual().unstarted(this::send);

    private final Set<String> failures = new HashSet<>(); // guarded by this, like the next two
    private long acknowledged;
    private boolean stopped;

    Boxes(JdbcStore store) {
        boxes = DurableEntities.start(StateTable.of(store, TYPE, RecordCodec.of(Box.class), new Handler()));
        client.start();
    }

    private record Handler() implements Durable<Box, Message, Box> {

        @Override
        public Box initial() {
            return new Box(List.of());
        }

        @Override
        public Change<Box, Box> handle(Box box, Message message) {
            return switch (message) {
                case Message.Send send -> {
                    var sent = new Box(List.of((long) box.numbers.size() + 1));
                    yield Change.to(box.with(send.number), sent)
                            .with(TYPE.send("receiver", new Message.Receive(send.number)));
                }
                case Message.Receive receive -> Change.to(box.with(receive.number), box);
                case Message.Read read -> Change.none(box);
            };
        }
    }

    private void send() {
        long number = 1;
        while (!isStopped()) {
            try {
                boxes.ref("sender")
                        .ask(new Message.Send(number), "n" + number, TIMEOUT)
                        .get();
                acknowledge(number);
                number++;
            } catch (ExecutionException e) {
                fail(e.getCause());
            } catch (InterruptedException e) {
                throw new CompletionException(e);
            }
        }
    }

    private synchronized boolean isStopped() {
        return stopped;
    }

    private synchronized void acknowledge(long number) {
        acknowledged = number;
        notifyAll();
    }

    private synchronized void fail(Throwable failure) {
        failures.add(failure.toString());
        notifyAll();
    }

    /** Waits until this number of further asks has been acknowledged. */
    synchronized void awaitMore(int asks) throws InterruptedException {
        for (long last = acknowledged + asks; acknowledged < last; ) {
            wait();
        }
    }

    /** Waits for an ask that fails with this text. */
    synchronized void awaitFailure(String text) throws InterruptedException {
        while (failures.stream().noneMatch(failure -> failure.contains(text))) {
            wait();
        }
    }

    /** Ends the client, and returns the number of acknowledged asks. */
    long end() throws InterruptedException {
        synchronized (this) {
            stopped = true;
        }
        client.join();
        synchronized (this) {
            return acknowledged;
        }
    }

    List<Long> read(String key) throws Exception {
        return boxes.ref(key).ask(new Message.Read(), TIMEOUT).get().numbers();
    }

    @Override
    public void close() {
        boxes.close();
    }
}
