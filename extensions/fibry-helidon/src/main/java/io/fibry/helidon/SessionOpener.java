package io.fibry.helidon;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorExit;
import io.fibry.Overflow;
import io.fibry.dispatch.LogText;
import io.helidon.http.Headers;
import io.helidon.http.HttpPrologue;
import io.helidon.webserver.CloseConnectionException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the actors of the sessions of an endpoint. */
record SessionOpener(WebSocketRoute route, ServerParts server) {

    private static final Logger LOG = LoggerFactory.getLogger(HelidonServer.class);

    /** Makes the actor that writes to a client. Called when a connection is open, on its thread. */
    SessionLink newLink(SessionReader reader) {
        if (!server.gate().enterSession()) {
            throw new CloseConnectionException("the server stops");
        }
        WebSocketOptions options = route.options();
        var link = new SessionLink(reader, options);
        try {
            server.newWriter("session", client(reader))
                    .bounded(options.outbox(), options.overflow())
                    .onStopRequested(link::stopRequested)
                    .onStop(exit -> end(link))
                    .newActorFrom(link::begin);
        } catch (RuntimeException | Error e) {
            server.gate().leaveSession();
            throw e;
        }
        return link;
    }

    /** After a hard stop of the server, a session may come here before its own hook has cut the connection. */
    private void end(SessionLink link) {
        try {
            if (server.gate().isAbandoned()) {
                link.cut("the server was stopped");
            }
            link.finish();
        } finally {
            server.clients().remove(link);
            server.gate().leaveSession();
        }
    }

    /**
     * Makes the actor that handles the client's messages. If that fails, the session is closed, and the result is null.
     * An {@code Error} is not rethrown: Helidon would send the response 500 to a client that expects frames.
     */
    @Nullable
    Actor<WebSocketMessage> open(SessionLink link, HttpPrologue prologue, Headers headers) {
        server.clients().add(link);
        var session = new WebSocketSession(ofMessages(link.context().self()), link, prologue, headers);
        ActorBuilder<Object> actors = server.newHandler(session, client(link.reader()))
                .bounded(route.options().inbox(), Overflow.BLOCK);
        try {
            Actor<WebSocketMessage> handler =
                    Objects.requireNonNull(route.endpoint().open(session, actors), "the endpoint has made no actor");
            link.context().watch(handler, exit -> link.close(statusOf(exit)));
            return handler;
        } catch (Exception | Error e) {
            LOG.error(
                    "Actor {} could not open a session of {}",
                    LogText.plain(server.actor().name()),
                    LogText.plain(route.path()),
                    LogText.plainTrace(e));
            link.close(CloseStatus.toSend(CloseStatus.FAILED, ""));
            return null;
        }
    }

    private static CloseStatus statusOf(ActorExit exit) {
        return CloseStatus.toSend(exit.isNormal() ? CloseStatus.NORMAL : CloseStatus.FAILED, "");
    }

    /** Outside, the actor accepts messages only; control frames are for its own use. */
    @SuppressWarnings("unchecked")
    private static Actor<WebSocketMessage> ofMessages(Actor<?> actor) {
        return (Actor<WebSocketMessage>) actor;
    }

    private static Object client(SessionReader reader) {
        return reader.context().remotePeer().address();
    }
}
