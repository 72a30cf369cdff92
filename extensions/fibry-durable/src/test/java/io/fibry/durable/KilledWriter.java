package io.fibry.durable;

import io.fibry.codec.RecordCodec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;

/** Counts in a durable entity until it is killed, and prints every count that an ask has confirmed. */
public final class KilledWriter {

    record Count(long value) {}

    static final RecordCodec<Count> CODEC = RecordCodec.of(Count.class);

    private KilledWriter() {}

    /** The arguments: the file, and the key to write. */
    public static void main(String[] args) throws Exception {
        Thread.ofPlatform().daemon().start(KilledWriter::endWithParent);
        var store = JdbcStore.h2(Path.of(args[0]));
        var type = DurableType.of("count", RecordCodec.of(String.class), RecordCodec.of(Long.class));
        var table = StateTable.of(store, type, CODEC, new Durable<Count, String, Long>() {
            @Override
            public Count initial() {
                return new Count(0);
            }

            @Override
            public Change<Count, Long> handle(Count count, String message) {
                return message.equals("get")
                        ? Change.none(count.value)
                        : Change.to(new Count(count.value + 1), count.value + 1);
            }
        });
        var entity = DurableEntities.start(table).ref(args[1]);
        System.out.println("begins " + entity.ask("get", Duration.ofSeconds(60)).get());
        while (true) {
            try {
                System.out.println("confirmed "
                        + entity.ask("next", Duration.ofSeconds(60)).get());
            } catch (ExecutionException e) {
                System.out.println("failed " + e.getCause());
                System.out.println(
                        "begins " + entity.ask("get", Duration.ofSeconds(60)).get());
            }
        }
    }

    /** Exits at the end of the input, which is the end of the parent: it never writes. */
    private static void endWithParent() {
        try {
            int end = System.in.read();
            Runtime.getRuntime().halt(Math.max(0, end));
        } catch (IOException e) {
            Runtime.getRuntime().halt(1);
        }
    }
}
