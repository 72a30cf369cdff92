package io.fibry.http;

import io.fibry.Metric;
import java.util.List;

/**
 * The counters of an {@link HttpServerActor} since its start. Each counter is read separately, so the counters are not
 * a consistent snapshot. A request is counted when it has ended. Requests that the JDK's server refuses itself, because
 * their head is malformed, too large or too slow, are not counted.
 *
 * <p>Failed TLS handshakes are counted if the provider is the JDK's server. The JDK's server does not report a client
 * that disconnects during a handshake or exceeds the request timeout, so such a handshake is not counted.
 *
 * @param inWork requests that are being handled now
 * @param ok complete responses with a status from 200 to 299
 * @param redirects complete responses with a status from 300 to 399
 * @param clientErrors complete responses with a status from 400 to 499
 * @param serverErrors complete responses with a status from 500 to 599
 * @param incomplete requests without a complete response, for instance because the client has disconnected
 * @param refused requests that got no handler because a limit was reached or the server was stopping; their responses
 *     are counted above too
 * @param timedOut waits for a client that exceeded a timeout: it sent its body, or accepted the response, too slowly
 * @param failedHandshakes TLS handshakes that failed: the client sent no TLS, a version or cipher suites that the
 *     server does not allow, no valid certificate although one is needed, or it rejected the certificate of the server
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
        long failedHandshakes,
        long bytesReceived,
        long bytesSent) {

    List<Metric> metrics() {
        return List.of(
                Metric.gauge("fibry.http.requests.active", inWork, "Requests that are being handled now"),
                responses("2xx", ok),
                responses("3xx", redirects),
                responses("4xx", clientErrors),
                responses("5xx", serverErrors),
                responses("incomplete", incomplete),
                Metric.counter(
                        "fibry.http.refused", refused, "Requests that got no handler, because of a limit or a stop"),
                Metric.counter("fibry.http.timeouts", timedOut, "Waits for a client that took too long"),
                Metric.counter("fibry.http.handshakes.failed", failedHandshakes, "TLS handshakes that failed"),
                Metric.counter("fibry.http.received", bytesReceived, "Bytes of the bodies of requests")
                        .in("bytes"),
                Metric.counter("fibry.http.sent", bytesSent, "Bytes of the bodies of responses")
                        .in("bytes"));
    }

    private static Metric responses(String status, long count) {
        return Metric.counter("fibry.http.responses", count, "Requests that have ended, by the class of their status")
                .tagged("status", status);
    }
}
