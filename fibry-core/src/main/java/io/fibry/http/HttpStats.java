package io.fibry.http;

/**
 * The counters of an {@link HttpServerActor} since its start. Each one is read by itself, so together they are no consistent
 * snapshot. A request is counted when it has ended. Requests that the JDK's server refuses itself, because their head is
 * malformed, too large or too slow, are not counted.
 *
 * @param inWork requests that are being handled now
 * @param ok complete responses with a status from 200 to 299
 * @param redirects complete responses with a status from 300 to 399
 * @param clientErrors complete responses with a status from 400 to 499
 * @param serverErrors complete responses with a status from 500 to 599
 * @param incomplete requests without a complete response, for instance because the client has disconnected
 * @param refused requests that got no handler because a limit was reached or the server was stopping; their responses are counted
 *     above too
 * @param timedOut waits for a client that exceeded a timeout: it sent its body, or accepted the response, too slowly
 * @param bytesReceived bytes of the bodies that handlers have read
 * @param bytesSent bytes of the bodies of responses
 */
public record HttpStats(
        int inWork,
        long ok,
        long redirects,
        long clientErrors,
        long serverErrors,
        long incomplete,
        long refused,
        long timedOut,
        long bytesReceived,
        long bytesSent) {}
