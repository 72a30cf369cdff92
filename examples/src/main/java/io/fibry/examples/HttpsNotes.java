package io.fibry.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import io.fibry.ReplyActor;
import io.fibry.examples.tls.Keys;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpReply;
import io.fibry.http.HttpRoutes;
import io.fibry.http.HttpServerActor;
import io.fibry.stereotypes.Stereotypes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import javax.net.ssl.SSLContext;

/**
 * A web service with TLS and a health check. POST /notes adds a note, GET /notes returns all. The arguments are the
 * port, a PKCS #12 file and its password. Without a file, the program creates a self-signed certificate, which clients
 * must accept explicitly.
 */
public final class HttpsNotes {
    private static final int MOST = 1000;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final ArrayDeque<String> notes = new ArrayDeque<>(); // accessed by the keeper only
    private final ReplyActor<String, String> keeper = Stereotypes.def().requestReply(this::keep);

    public static void main(String[] args) throws Exception {
        SSLContext tls = args.length > 2 ? Keys.of(Path.of(args[1]), args[2]) : Keys.selfSigned();
        HttpServerActor server = new HttpsNotes().start(args.length > 0 ? Integer.parseInt(args[0]) : 8443, tls);
        String url = "https://localhost:" + server.port();
        System.out.println("Try: curl -k -d 'Buy milk' " + url + "/notes");
        System.out.println("     curl -k " + url + "/health (press Ctrl-C to stop the server)");
    }

    HttpServerActor start(int port, SSLContext tls) {
        var routes = HttpRoutes.none()
                .get("/notes", exchange -> keeper.call("", PATIENCE))
                .handle("POST", "/notes", this::add)
                .health("/health", this::isHealthy);
        var options = HttpOptions.defaults().tls(tls).maxRequests(200).maxBodyBytes(10_000);
        return Stereotypes.def().embeddedHttpServer(port, routes, options).closeOnExit(keeper);
    }

    private HttpReply add(HttpExchange exchange) throws Exception {
        String note = new String(exchange.getRequestBody().readAllBytes(), UTF_8).strip();
        return note.isEmpty()
                ? HttpReply.text("An empty note\n").withStatus(400)
                : HttpReply.text(keeper.call(note, PATIENCE)).withStatus(201);
    }

    private boolean isHealthy() {
        return keeper.ask("", PATIENCE).handle((all, late) -> late == null).join();
    }

    private String keep(String note) {
        if (!note.isEmpty()) {
            notes.add(note);
        }
        if (notes.size() > MOST) {
            notes.remove();
        }
        return String.join("\n", notes) + "\n";
    }
}
