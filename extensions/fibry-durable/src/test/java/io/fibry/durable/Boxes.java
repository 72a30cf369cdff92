package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.codec.RecordCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/**
 * A sender and a receiver, both durable, and a client that asks the sender to send numbers, and repeats each ask with
 * the same request key until it succeeds.
 */
final class Boxes implements Load {

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

    private final JdbcStore store;
    private final DurableEntities<Message, Box> boxes;
    private final LoadClient client;

    Boxes(JdbcStore store) {
        this.store = store;
        boxes = DurableEntities.start(StateTable.of(store, TYPE, RecordCodec.of(Box.class), new Handler()));
        client = LoadClient.start(
                true, number -> boxes.ref("sender").ask(new Message.Send(number), "n" + number, TIMEOUT));
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

    @Override
    public void awaitMore(int asks) throws InterruptedException {
        client.awaitMore(asks);
    }

    @Override
    public void awaitFailure(String text) throws InterruptedException {
        client.awaitFailure(text);
    }

    @Override
    public void check() throws Exception {
        List<Long> acknowledged = client.end();
        while (store.waiting(TYPE.name(), Instant.now()).messages() > 0) {
            LockSupport.parkNanos(10_000_000);
        }
        assertEquals(LongStream.rangeClosed(1, acknowledged.size()).boxed().toList(), acknowledged);
        assertEquals(acknowledged, read("sender"));
        assertEquals(acknowledged, read("receiver"));
    }

    private List<Long> read(String key) throws Exception {
        return boxes.ref(key).ask(new Message.Read(), TIMEOUT).get().numbers();
    }

    @Override
    public void close() {
        client.close();
        boxes.close();
    }
}
