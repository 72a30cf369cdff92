package io.fibry.helidon;

import io.fibry.ActorStoppedException;
import io.fibry.AskTimeoutException;
import io.fibry.MailboxFullException;
import io.fibry.sockets.ClientLog;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.function.Supplier;

/** Answers requests whose handler's ask has failed. */
final class AskFailures {

    private final Supplier<String> server;
    private final ClientLog log;

    AskFailures(Supplier<String> server, ClientLog log) {
        this.server = server;
        this.log = log;
    }

    void addTo(HttpRouting.Builder routing) {
        routing.error(AskTimeoutException.class, (request, response, e) -> {
            reply(request, response, Status.GATEWAY_TIMEOUT_504, e);
        });
        routing.error(MailboxFullException.class, this::unavailable);
        routing.error(ActorStoppedException.class, this::unavailable);
    }

    private void unavailable(ServerRequest request, ServerResponse response, Exception e) {
        response.header(HeaderNames.RETRY_AFTER, "1");
        reply(request, response, Status.SERVICE_UNAVAILABLE_503, e);
    }

    private void reply(ServerRequest request, ServerResponse response, Status status, Exception e) {
        log.info(
                server.get(),
                ", " + request.prologue().method().text() + " " + request.path().path() + ": " + status.code() + ", "
                        + e.getMessage());
        response.status(status).send(status.codeText() + " " + status.reasonPhrase());
    }
}
