package io.fibry.helidon;

import io.helidon.http.HttpException;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;

/**
 * The limit for the body of a request with HTTP/2. Helidon limits the bodies of HTTP/1.1 only. The limit applies while
 * the request is handled. After that, Helidon discards the rest of the body, and other streams of the connection
 * continue. Used by one thread.
 */
final class Http2Body {

    /**
     * A handler of a route has read more than the limit. {@link RequestFailures} answers this exception, since Helidon
     * would read the whole body before it answers an {@link HttpException}.
     */
    static final class TooLargeException extends HttpException {
        private static final long serialVersionUID = 1;

        TooLargeException() {
            super("The body is too large", Status.REQUEST_ENTITY_TOO_LARGE_413);
        }
    }

    private final ServerRequest request;
    private final long maxBytes;
    private boolean handled;

    /** The limit is that of Helidon's configuration, which the program may have changed. HTTP/1.1 gets none here. */
    Http2Body(ServerRequest request) {
        this.request = request;
        long configured = request.listenerContext().config().maxPayloadSize();
        maxBytes = RequestFilter.isHttp2(request) && configured >= 0 ? configured : Long.MAX_VALUE;
    }

    /** Whether the client has announced more than the limit. */
    boolean isTooLarge() {
        return maxBytes < Long.MAX_VALUE && request.headers().contentLength().orElse(0) > maxBytes;
    }

    /** Limits what is read from now on, until {@link #handled}. */
    void limit() {
        if (maxBytes < Long.MAX_VALUE) {
            request.streamFilter(Limited::new);
        }
    }

    void handled() {
        handled = true;
    }

    static void refuse(ServerResponse response) {
        Status status = Status.REQUEST_ENTITY_TOO_LARGE_413;
        response.status(status).send(status.codeText() + " " + status.reasonPhrase());
    }

    private final class Limited extends InputStream {
        private final InputStream in;
        private long read;

        Limited(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            int b = in.read();
            add(b < 0 ? 0 : 1);
            return b;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            int bytes = in.read(to, offset, length);
            add(bytes);
            return bytes;
        }

        private void add(int bytes) {
            read += Math.max(0, bytes);
            if (read > maxBytes && !handled) {
                throw new TooLargeException();
            }
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
