package io.fibry.helidon;

import io.fibry.ActorContext;
import io.fibry.ActorStoppedException;
import io.fibry.StopMode;
import io.fibry.ThrowingConsumer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The response to one client of a source of events. Its actor writes the events. A comment now and then keeps the
 * connection alive, and finds out whether the client is still there.
 */
final class EventStreamClient implements Client, ThrowingConsumer<Object> {

    /** Proxies commonly close a connection on which nothing moves for a minute. */
    private static final Duration COMMENT_PERIOD = Duration.ofSeconds(15);

    private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(30);
    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.UTF_8);

    private final OutputStream out;
    private final InterruptibleStep write = new InterruptibleStep();
    private volatile @Nullable ActorContext<Object> context;
    private volatile long lastWrite = System.nanoTime();
    private volatile boolean lost;

    EventStreamClient(OutputStream out) {
        this.out = out;
    }

    ThrowingConsumer<Object> begin(ActorContext<Object> ofActor) {
        context = ofActor;
        return this;
    }

    private ActorContext<Object> context() {
        return Objects.requireNonNull(context);
    }

    boolean isLost() {
        return lost;
    }

    @Override
    public void accept(Object message) throws InterruptedException {
        if (lost) {
            return; // the client does not read it any more
        }
        byte[] bytes = message instanceof StreamEvent event ? event.toBytes() : COMMENT;
        write.run(() -> {
            try {
                out.write(bytes);
                out.flush();
            } catch (IOException | RuntimeException e) {
                lose();
            }
        });
        lastWrite = System.nanoTime();
    }

    private void lose() {
        lost = true;
        context().self().stop(StopMode.DISCARD);
    }

    @Override
    public void check(long now) {
        if (write.takes(now) > WRITE_TIMEOUT.toNanos()) {
            lose();
            write.interrupt();
        } else if (now - lastWrite > COMMENT_PERIOD.toNanos()) {
            lastWrite = now;
            comment();
        }
    }

    /** Sends a comment. The first one sends the head of the response. Any thread. */
    void comment() {
        try {
            context().after(Duration.ZERO, COMMENT);
        } catch (ActorStoppedException e) {
            lastWrite = Long.MAX_VALUE; // it has ended
        }
    }

    @Override
    public void goAway() {
        context().self().stop();
    }
}
