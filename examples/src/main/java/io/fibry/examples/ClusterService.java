package io.fibry.examples;

import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.ClusterSystem;
import io.fibry.codec.RecordCodec;
import io.fibry.entity.Entities;
import io.fibry.entity.EntityBehavior;
import io.fibry.http.HttpParameters;
import io.fibry.http.HttpRoutes;
import io.fibry.stereotypes.Stereotypes;
import java.time.Duration;
import java.util.Map;

/**
 * A node of a cluster as a service, for Kubernetes and other orchestrators. It reads its settings from the environment,
 * serves counters by HTTP, and leaves the cluster when it receives SIGTERM. {@code src/main/kubernetes/cluster.yaml}
 * starts three of them. A single node needs HOST=127.0.0.1 PORT=7001 SEEDS=127.0.0.1:7001 HTTP_PORT=8080, and a SECRET
 * of at least 20 characters.
 * {@code mvn -q -pl examples -am compile exec:exec -Dexample=ClusterService}
 */
public final class ClusterService {

    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private ClusterService() {}

    /** Adds to a counter. */
    public record Add(int amount) {}

    /** The value of a counter, and the node that has it. */
    public record Count(int value, String node) {}

    private static final class Counter implements EntityBehavior<Add, Count> {
        private final String node;
        private int value;

        Counter(String node) {
            this.node = node;
        }

        @Override
        public Count handle(Add add) {
            value += add.amount();
            return new Count(value, node);
        }
    }

    public static void main(String[] args) {
        Map<String, String> settings = System.getenv();
        String host = settings.get("HOST");
        int port = Integer.parseInt(settings.get("PORT"));
        ClusterSystem cluster = ClusterSystem.join(
                ClusterOptions.of("counters", host, port, settings.get("SEEDS").split(",", -1))
                        .bind(settings.getOrDefault("BIND", host), port)
                        .secret(settings.get("SECRET")));
        Entities<String, Add, Count> counters = cluster.entities(
                "counter", RecordCodec.of(Add.class), RecordCodec.of(Count.class), key -> new Counter(host));
        var server = Stereotypes.fibers()
                .embeddedHttpServer(Integer.parseInt(settings.get("HTTP_PORT")), routes(cluster, counters));
        System.out.println("http://localhost:" + server.port());
        cluster.removed().join(); // after SIGTERM, or if the other nodes have removed this one
        System.exit(1); // a removed node cannot return: the orchestrator starts a new one
    }

    private static HttpRoutes routes(ClusterSystem cluster, Entities<String, Add, Count> counters) {
        return HttpRoutes.none()
                .health("/live", () -> !cluster.removed().isDone())
                .health("/ready", cluster::isReady)
                .post("/add/{counter}/{amount}", exchange -> {
                    var path = HttpParameters.ofPath(exchange);
                    var add = new Add(path.get("amount", Integer::parseInt));
                    Count count =
                            counters.ref(path.get("counter")).ask(add, TIMEOUT).get();
                    return count.value() + " on " + count.node() + "\n";
                });
    }
}
