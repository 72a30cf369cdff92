package io.fibry.net;

import io.fibry.Metric;
import java.util.List;

/**
 * The counters of a {@link TcpAcceptor} since its start. Each counter is read separately, so the counters are not a
 * consistent snapshot.
 *
 * @param accepted connections that got an actor
 * @param refused connections that were reset because a limit was reached. Behind a trusted proxy, a connection whose
 *     client has too many is also counted as accepted
 * @param failedAccepts accepts that failed, because the client had disconnected, or no file descriptors or threads were
 *     left
 * @param timedOut connections that were reset by the idle timeout or the handshake timeout
 */
public record TcpStats(long accepted, long refused, long failedAccepts, long timedOut) {

    List<Metric> metrics(int connections) {
        return List.of(
                Metric.gauge("fibry.tcp.connections", connections, "Connections now"),
                accepts("accepted", accepted),
                accepts("refused", refused),
                accepts("failed", failedAccepts),
                Metric.counter("fibry.tcp.timeouts", timedOut, "Connections that a timeout has reset"));
    }

    private static Metric accepts(String result, long count) {
        return Metric.counter("fibry.tcp.accepts", count, "Connections, by whether they got a handler")
                .tagged("result", result);
    }
}
