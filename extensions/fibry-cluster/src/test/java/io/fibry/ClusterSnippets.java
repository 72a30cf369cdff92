package io.fibry;

import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.ClusterSystem;
import io.fibry.cluster.Discovery;
import io.fibry.codec.Codec;
import io.fibry.codec.RecordCodec;
import io.fibry.durable.Change;
import io.fibry.durable.Durable;
import io.fibry.durable.DurableType;
import io.fibry.durable.JdbcStore;
import io.fibry.durable.StateTable;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityBehavior;
import io.fibry.http.HttpServerActor;
import io.fibry.observer.ObserverOptions;
import io.fibry.stereotypes.Stereotypes;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** The code in the Javadoc of the cluster, only compiled: no module that runs clusters is on the class path. */
class ClusterSnippets {

    // @start region="discovery"
    ClusterOptions podOf(String address) {
        return ClusterOptions.of("shop", address, 7001, Discovery.dns("nodes.shop.svc", 7001, 3));
    }

    ClusterOptions nodeWith(DataSource database, String address) {
        return ClusterOptions.of("shop", address, 7001, Discovery.database(database));
    }

    // @end

    // @start region="join"
    static class Counter implements Durable<Long, Long, Long> {
        @Override
        public Long initial() {
            return 0L;
        }

        @Override
        public Change<Long, Long> handle(Long count, Long more) {
            return Change.to(count + more, count + more);
        }
    }

    void node(String host, DataSource database) throws Exception {
        var options = ClusterOptions.of("shop", host, 7001, "10.0.0.1:7001", "10.0.0.2:7001", "10.0.0.3:7001")
                .insecure(true); // only for a network that is closed to others
        try (var store = JdbcStore.of(database);
                var cluster = ClusterSystem.join(options)) {
            RecordCodec<Long> number = RecordCodec.of(Long.class);
            var type = DurableType.of("counter", number, number);
            Entities<String, Long, Long> counters = cluster.entities(StateTable.of(store, type, number, new Counter()));
            counters.ref("visits").ask(1L, Duration.ofSeconds(5)).join();
            cluster.removed().join(); // serves until it is stopped
        }
    }

    // @end

    // @start region="singleton"
    record Clean() {}

    static class Cleaner implements EntityBehavior<Clean, Void> {
        private final Actor<Clean> timer;

        Cleaner(ClusterSystem cluster, ActorRef<Clean, Void> self) {
            timer = cluster.system().actor().newActorFrom(context -> {
                context.every(Duration.ofMinutes(1), new Clean());
                return self::tell;
            });
        }

        @Override
        public Void handle(Clean message) {
            // delete old records, on one node of the cluster
            return null;
        }

        @Override
        public void onEnd() {
            timer.stop();
        }
    }

    void cleaner(ClusterSystem cluster) {
        cluster.singleton("cleaner", RecordCodec.of(Clean.class), Codec.none(), self -> new Cleaner(cluster, self));
    }

    // @end

    // @start region="observer"
    HttpServerActor observe(ClusterSystem cluster, int port) {
        var options = ObserverOptions.defaults().pages(List.of(cluster.observerPage()));
        return Stereotypes.def().in(cluster.system()).observer(port, options);
    }
    // @end
}
