package io.fibry.helidon;

import io.fibry.ActorContext;
import io.fibry.ActorStoppedException;
import io.fibry.StopMode;
import io.fibry.ThrowingConsumer;
import io.fibry.dispatch.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket connection, as its reader, its writer and the server's timer share it.
 *
 * <p><b>One end.</b> The first of them that ends the session sets the status, and stops the session's actor. That actor
 * writes the accepted messages, its child handles the received ones, and then its stop hook, {@link #finish}, writes
 * the close frame and waits until the connection is {@linkplain #over over}: until the reader has returned, or the
 * connection has been cut. One of the two always comes, as the timer cuts the connection if that takes longer than the
 * write timeout, and a hard stop cuts it at once.
 *
 * <p><b>The client closes.</b> Nothing is written any more but the close frame, past the messages that wait. The reader
 * returns after that, so that the connection is not closed before. If the frame comes too late for the actor, because
 * its last message has been handled, the stop hook writes it. The reader is released in both cases, and also by a cut.
 *
 * <p><b>Cut.</b> Reader and writer run on virtual threads, so an interrupt closes the socket that one of them waits
 * for. In the writer, only the code that {@link InterruptibleStep} runs is interrupted.
 */
final class SessionLink implements Client {

    private static final Duration LINGER = Duration.ofSeconds(1);

    private final SessionReader reader;
    private final WebSocketOptions options;
    private final SessionWriter writer;
    private final AtomicReference<@Nullable CloseStatus> status = new AtomicReference<>();
    private final CountDownLatch closeFrame = new CountDownLatch(1); // open when it has been written, or never will be
    private final CountDownLatch over = new CountDownLatch(1);
    private final InterruptibleStep write = new InterruptibleStep();

    private volatile @Nullable ActorContext<Object> context; // set while the session's actor is made
    private volatile long lastFrame = System.nanoTime();
    private volatile boolean pinged;
    private volatile boolean delivering;
    private volatile boolean closedByClient;
    private volatile long lingersSince; // 0 if it does not

    SessionLink(SessionReader reader, WebSocketOptions options) {
        this.reader = reader;
        this.options = options;
        writer = new SessionWriter(reader.context().dataWriter(), this);
    }

    ThrowingConsumer<Object> begin(ActorContext<Object> ofSession) {
        context = ofSession;
        return writer;
    }

    ActorContext<Object> context() {
        return Objects.requireNonNull(context);
    }

    SessionReader reader() {
        return reader;
    }

    SessionWriter writer() {
        return writer;
    }

    @Nullable
    CloseStatus status() {
        return status.get();
    }

    // ---- the reader

    /** A frame has come. */
    void received() {
        lastFrame = System.nanoTime();
        pinged = false;
    }

    /** While the reader waits for the session's actor, a silent client is not idle. */
    void delivering(boolean now) {
        received();
        delivering = now;
    }

    /** Sends a control frame past the messages that wait. */
    void control(Object frame) {
        try {
            context().after(Duration.ZERO, frame);
        } catch (ActorStoppedException e) {
            pinged = true; // the session has ended: the frame is not needed
        }
    }

    void closedByClient(CloseStatus how) {
        closedByClient = true;
        close(how);
        control(SessionWriter.CLOSE);
    }

    void awaitCloseFrame() throws InterruptedException {
        closeFrame.await();
    }

    /** From now on the reader only discards input, for a moment. */
    void linger() {
        lingersSince = System.nanoTime() | 1; // never 0
    }

    // ---- the end

    /** Ends the session with this status, unless it has one already. */
    void close(CloseStatus wanted) {
        status.compareAndSet(null, wanted);
        ActorContext<Object> c = context;
        if (c != null) { // else the server's stop ends the actor while it is being made
            c.self().stop();
        }
    }

    /** The connection has ended. This is why, unless the session has been closed before. */
    void ended(CloseStatus how) {
        close(how);
        over.countDown();
        closeFrame.countDown();
    }

    void cut(String why) {
        ended(CloseStatus.lost(why));
        write.interrupt();
        reader.close(true);
    }

    /** Whether the client reads no more messages. */
    boolean isOver() {
        return closedByClient || over.getCount() == 0;
    }

    void stopRequested(StopMode mode) {
        if (mode != StopMode.DRAIN) {
            cut("the session was stopped");
        }
    }

    /** The last step of the session: the closing handshake. */
    void finish() {
        status.compareAndSet(null, CloseStatus.toSend(CloseStatus.NORMAL, ""));
        try {
            if (over.getCount() > 0) {
                writer.close();
            }
            closeFrame.countDown();
            write(over::await);
        } catch (InterruptedException e) {
            cut("the session was stopped");
        }
    }

    // ---- the writer

    void closeFrameWritten() {
        closeFrame.countDown();
    }

    /** Runs a write to the client, under the write timeout. A failure ends the session. */
    void write(InterruptibleStep.Step<InterruptedException> step) throws InterruptedException {
        try {
            write.run(step);
        } catch (RuntimeException e) {
            cut("a write failed: " + e.getMessage());
        }
    }

    // ---- the timer

    @Override
    public void check(long now) {
        Duration pingPeriod = options.pingPeriod();
        long quiet = now - lastFrame;
        if (write.takes(now) > Durations.nanos(options.writeTimeout())) {
            cut("the client was too slow");
        } else if (lingersSince != 0 && now - lingersSince > LINGER.toNanos()) {
            cut("the client broke the protocol");
        } else if (delivering) {
            return;
        } else if (quiet > Durations.nanos(options.idleTimeout())) {
            close(CloseStatus.toSend(CloseStatus.GOING_AWAY, "idle timeout"));
        } else if (pingPeriod != null && quiet > Durations.nanos(pingPeriod) && !pinged) {
            pinged = true;
            control(SessionWriter.PING);
        }
    }

    @Override
    public void goAway() {
        close(CloseStatus.toSend(CloseStatus.GOING_AWAY, "the server stops"));
    }
}
