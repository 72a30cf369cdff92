package shop;

import io.fibry.ActorSystem;
import io.fibry.ContextCarrier;
import io.fibry.SystemOptions;
import io.fibry.context.MicrometerContext;
import io.fibry.helidon.HelidonRoutes;
import io.fibry.helidon.HelidonServer;
import io.fibry.micrometer.FibryMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** Something of each module. */
public final class Shop {

    private Shop() {}

    public static void main(String[] args) throws Exception {
        var options = SystemOptions.defaults()
                .name("shop")
                .context(MicrometerContext.carrier().and(ContextCarrier.mdc()));
        try (var system = ActorSystem.create(options)) {
            var registry = new SimpleMeterRegistry();
            FibryMetrics.of(system).bindTo(registry);
            var prices = system.actor("prices").newActorWithReturn(String::length);
            var routes = HelidonRoutes.none()
                    .http(http ->
                            http.get("/prices/pen", (request, response) -> response.send("" + prices.call("pen"))));
            try (var server = HelidonServer.start(ActorSystem.anonymous(), 0, routes);
                    var client = HttpClient.newHttpClient()) {
                var request = HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + "/prices/pen"));
                String price =
                        client.send(request.build(), BodyHandlers.ofString()).body();
                int meters = registry.getMeters().size();
                boolean inModule = Shop.class.getModule().isNamed();
                System.out.printf(
                        "price %s, meters %b, module %b, Java %d%n",
                        price, meters > 0, inModule, Runtime.version().feature());
            }
        }
    }
}
