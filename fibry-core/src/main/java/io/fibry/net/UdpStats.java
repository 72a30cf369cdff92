package io.fibry.net;

import io.fibry.Metric;
import java.util.List;

/**
 * The counters of a {@link UdpServer} since its start. Each counter is read separately, so the counters are not a
 * consistent snapshot.
 *
 * @param accepted datagrams that were accepted for handling
 * @param dropped datagrams that were dropped because too many were waiting, or because they were too long
 */
public record UdpStats(long accepted, long dropped) {

    List<Metric> metrics() {
        return List.of(datagrams("accepted", accepted), datagrams("dropped", dropped));
    }

    private static Metric datagrams(String result, long count) {
        return Metric.counter("fibry.udp.datagrams", count, "Datagrams, by whether they were accepted for handling")
                .tagged("result", result);
    }
}
