package io.fibry.helidon;

import io.helidon.http.HttpException;
import io.helidon.http.RequestException;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The bodies of the requests of an HTTP/2 connection. When the connection ends, Helidon leaves the threads that wait
 * for the next part of a body waiting. Here, these threads are interrupted, and only while they wait. Helidon takes an
 * interrupt for the end of the body, so a read that reports the end is checked.
 */
final class Http2Bodies {

    /** The streams that send a body, and whether Helidon has got the last frame, but has not handled it yet. */
    private final Map<Integer, Boolean> streams = new ConcurrentHashMap<>();

    private final Map<InterruptibleStep, Integer> waits = new ConcurrentHashMap<>();
    private volatile boolean ended;

    // ---- the thread of the connection

    /** A request with a body begins. */
    void begun(int stream) {
        streams.put(stream, false);
    }

    /** Helidon gets the last frame of the client. */
    void last(int stream) {
        streams.replace(stream, true);
    }

    /** Helidon has handled the last frame of the client, so no thread waits for more. */
    void complete(int stream) {
        streams.remove(stream);
    }

    /**
     * The connection has ended. A thread adds its wait, <em>then</em> reads the flag; this sets the flag, <em>then</em>
     * reads the waits. At least one of the two sees the write of the other.
     */
    void end() {
        ended = true;
        waits.forEach((wait, stream) -> {
            if (streams.containsKey(stream)) {
                wait.interrupt();
            }
        });
    }

    // ---- the threads of requests

    /** The bodies of the connection of a request, or null with HTTP/1.1. */
    static @Nullable Http2Bodies of(ServerRequest request) {
        return request.listenerContext() instanceof Http2Listener listener ? listener.bodies() : null;
    }

    /** Has the reads of a request fail if the connection ends. */
    void guard(ServerRequest request) {
        request.streamFilter(in -> new Body(in, request));
    }

    /**
     * Discards what a handler has not read. Helidon would do the same later, but not interruptibly, and only up to the
     * limit for a body; a full queue of frames would then stop the connection.
     */
    void discard(ServerRequest request) {
        if (!request.content().consumed()) {
            run(new InterruptibleStep(), request.id(), () -> {
                try {
                    request.content().consume();
                } catch (HttpException e) { // the limit, which a second call does not have
                    request.content().consume();
                }
            });
        }
    }

    private <E extends Exception> void run(InterruptibleStep wait, int stream, InterruptibleStep.Step<E> step)
            throws E {
        wait.run(() -> {
            waits.put(wait, stream);
            try {
                if (ended && streams.containsKey(stream)) {
                    wait.interrupt(); // so that Helidon reads the end at once
                }
                step.run();
            } catch (RequestException e) {
                throw new CloseConnectionException("The client has reset the request", e);
            } finally {
                waits.remove(wait);
            }
        });
    }

    /** Inherits {@code skip}, which reads. */
    private final class Body extends InputStream {
        private final InputStream in;
        private final ServerRequest request;
        private final InterruptibleStep wait = new InterruptibleStep();
        private int result; // of the last read

        Body(InputStream in, ServerRequest request) {
            this.in = in;
            this.request = request;
        }

        @Override
        public int read() throws IOException {
            return check(() -> result = in.read());
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            return check(() -> result = in.read(to, offset, length));
        }

        private int check(InterruptibleStep.Step<IOException> read) throws IOException {
            if (Thread.currentThread().isInterrupted()) { // by the stop of the server
                throw new CloseConnectionException("Interrupted before the end of the body");
            }
            boolean incomplete = streams.containsKey(request.id());
            Http2Bodies.this.run(wait, request.id(), read);
            boolean atEnd = result < 0 && request.content().consumed(); // not only that of a compressed part
            if (atEnd && incomplete && mayBeCut()) {
                throw new CloseConnectionException("The connection has ended before the body");
            }
            return result;
        }

        /** If the last frame has been handled, it may have come after the interrupt of a stop has ended the read. */
        private boolean mayBeCut() {
            Boolean last = streams.get(request.id());
            return last == null ? request.listenerContext().executor().isShutdown() : !last || ended;
        }

        @Override
        public int available() throws IOException {
            return in.available();
        }

        @Override
        public void close() throws IOException {
            Http2Bodies.this.run(wait, request.id(), in::close);
        }
    }
}
