package io.fibry.helidon;

import io.fibry.ActorStoppedException;
import io.fibry.AskTimeoutException;
import io.fibry.MailboxFullException;
import io.fibry.sockets.CauseLog;
import io.fibry.sockets.ClientLog;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.HttpException;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.function.Supplier;

/**
 * Answers requests whose handlers have failed, by an ask or otherwise. Helidon would log the exception without escaping
 * the texts of clients in its message. An error handler of the program takes precedence.
 */
final class RequestFailures {

    private final Supplier<String> server;
    private final ClientLog log;
    private final CauseLog failures;

    RequestFailures(Supplier<String> server, ClientLog log, CauseLog failures) {
        this.server = server;
        this.log = log;
        this.failures = failures;
    }

    void addTo(HttpRouting.Builder routing) {
        routing.error(AskTimeoutException.class, (request, response, e) -> {
            reply(request, response, Status.GATEWAY_TIMEOUT_504, e);
        });
        routing.error(MailboxFullException.class, this::unavailable);
        routing.error(ActorStoppedException.class, this::unavailable);
        routing.error(Throwable.class, this::failed);
    }

    private void failed(ServerRequest request, ServerResponse response, Throwable t) {
        if (t instanceof HttpException e) {
            Http2Bodies bodies = Http2Bodies.of(request);
            boolean discards = e.keepAlive() && !request.headers().containsToken(HeaderValues.EXPECT_100);
            if (bodies != null && discards) { // else Helidon discards the rest, without a way to interrupt it
                bodies.discard(request);
            }
            return; // Helidon sends the status that it has
        }
        failures.error(server.get() + " failed to handle " + line(request), t);
        response.status(Status.INTERNAL_SERVER_ERROR_500).send("500 Internal Server Error");
    }

    private static String line(ServerRequest request) {
        return request.prologue().method().text() + " " + request.path().path();
    }

    private void unavailable(ServerRequest request, ServerResponse response, Exception e) {
        response.header(HeaderNames.RETRY_AFTER, "1");
        reply(request, response, Status.SERVICE_UNAVAILABLE_503, e);
    }

    private void reply(ServerRequest request, ServerResponse response, Status status, Exception e) {
        log.info(server.get(), ", " + line(request) + ": " + status.code() + ", " + e.getMessage());
        response.status(status).send(status.codeText() + " " + status.reasonPhrase());
    }
}
