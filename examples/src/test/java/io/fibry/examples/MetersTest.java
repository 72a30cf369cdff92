package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.ActorSystem;
import io.fibry.SystemOptions;
import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.ClusterSystem;
import io.fibry.codec.RecordCodec;
import io.fibry.durable.DurableEntities;
import io.fibry.durable.DurableOptions;
import io.fibry.durable.DurableType;
import io.fibry.durable.EventLog;
import io.fibry.durable.JdbcStore;
import io.fibry.durable.Projection;
import io.fibry.micrometer.FibryMetrics;
import io.fibry.stereotypes.Stereotypes;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The tables in the guide list exactly the existing meters. Seen to fail: without a row of any table. */
@Timeout(60)
class MetersTest {

    private record Row(String kind, Set<String> tags) {}

    @Test
    void theTablesHaveAllMetersWithTheirKindsAndTags() throws Exception {
        Map<String, Row> table = new TreeMap<>();
        for (List<String> row : Markdown.document("metrics").rows("meter")) {
            var tags = new TreeSet<>(Set.of("system"));
            List.of(row.get(2).split(", ")).forEach(tag -> tags.add(tag.replace("`", "")));
            tags.remove("");
            table.put(row.get(0).replace("`", ""), new Row(row.get(1), tags));
        }
        Map<String, Row> meters = meters();
        meters.putAll(metersOfANode());
        meters.putAll(metersOfDurableEntities());
        assertEquals(table, meters);
    }

    private static Map<String, Row> meters() {
        var registry = new SimpleMeterRegistry();
        try (var system = ActorSystem.create(SystemOptions.defaults().name("shop"))) {
            system.actor("orders").newSink(null);
            Stereotypes servers = Stereotypes.def().in(system);
            servers.embeddedHttpServer(0, exchange -> "hello");
            servers.tcpAcceptor(0, connection -> {});
            servers.udpServer(0, (datagram, sender) -> {});
            FibryMetrics.of(system).actors(20).bindTo(registry);
            return rows(registry);
        }
    }

    private static Map<String, Row> metersOfANode() {
        var registry = new SimpleMeterRegistry();
        int port = Snippet.freePort();
        try (var cluster = ClusterSystem.join(ClusterOptions.of("orders", "127.0.0.1", port, "127.0.0.1:" + port))) {
            FibryMetrics.of(cluster.system()).bindTo(registry);
            return rows(registry);
        }
    }

    private static Map<String, Row> metersOfDurableEntities() throws Exception {
        var registry = new SimpleMeterRegistry();
        System.setProperty("h2.bindAddress", "127.0.0.1"); // for the stores of other tests, before H2 reads it
        var database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:meters;DB_CLOSE_DELAY=-1");
        JdbcStore.createSchema(database);
        var type = DurableType.of("count", RecordCodec.of(Long.class));
        try (var system = ActorSystem.create();
                var store = JdbcStore.of(database)) {
            EventLog<Long, Long, Long, Void> log = EventLog.of(store, type, type.messages(), key -> {
                throw new AssertionError("no entity is created");
            });
            DurableEntities.start(system.actor(), log, DurableOptions.defaults());
            try (var projection =
                    Projection.toConsumer("counts", log, event -> {}).start()) {
                projection.publishMetrics(system);
                FibryMetrics.of(system).bindTo(registry);
                return rows(registry);
            }
        }
    }

    private static Map<String, Row> rows(MeterRegistry registry) {
        return registry.getMeters().stream()
                .collect(Collectors.toMap(
                        meter -> meter.getId().getName(), MetersTest::row, (row, same) -> row, TreeMap::new));
    }

    private static Row row(Meter meter) {
        String kind = meter.getId().getType() == Meter.Type.COUNTER ? "counter" : "gauge";
        String unit = meter.getId().getBaseUnit();
        Set<String> tags = meter.getId().getTags().stream().map(Tag::getKey).collect(Collectors.toSet());
        return new Row(unit == null ? kind : unit, new TreeSet<>(tags));
    }
}
