package io.fibry.examples.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpReply;
import io.fibry.http.HttpRoutes;
import io.fibry.http.HttpServerActor;
import io.fibry.stereotypes.Stereotypes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A site of a hundred linked pages, on a free local port. About every third request gets an error. Whether an attempt
 * at a page fails depends on the seed only, and not on time or on other pages.
 */
public final class FlakySite implements AutoCloseable {

    private static final int PAGES = 100;

    private final Map<Integer, Integer> attempts = new ConcurrentHashMap<>();
    private final long seed;
    private final HttpServerActor server;

    /** Starts the site. */
    public FlakySite(long seed) {
        this.seed = seed;
        var routes = HttpRoutes.none().handle("GET", "/*", this::answer);
        var options = HttpOptions.defaults().bindAddress(InetAddress.getLoopbackAddress());
        server = Stereotypes.fibers().embeddedHttpServer(0, routes, options);
    }

    /** The address of the first page. */
    public String home() {
        return address(0);
    }

    /**
     * Fetches a page, and returns the addresses of the pages that it links to.
     *
     * @throws UncheckedIOException if the site answers with an error
     */
    public static List<String> links(String address) {
        try (var page = URI.create(address).toURL().openStream()) {
            return new String(page.readAllBytes(), UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        server.close();
    }

    private HttpReply answer(HttpExchange exchange) {
        int page = Integer.parseInt(exchange.getRequestURI().getPath().substring(1));
        int attempt = attempts.merge(page, 1, Integer::sum);
        if (new SplittableRandom((seed * 1_000 + attempt) * PAGES + page).nextInt(3) == 0) {
            return HttpReply.text("not now").withStatus(503);
        }
        return HttpReply.text(address(page + 1) + "\n" + address(2 * page) + "\n" + address(2 * page + 7));
    }

    private String address(int page) {
        return "http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":" + server.port() + "/" + page % PAGES;
    }
}
