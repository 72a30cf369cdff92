package io.fibry.helidon;

import io.fibry.Actor;
import io.fibry.Overflow;
import io.fibry.StopMode;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.OutputStream;

/** Serves events to one client at a time: an actor writes them, while the thread of the request waits for its end. */
final class EventStreamResponder implements Handler {

    private final EventStreams events;
    private final ServerParts server;

    EventStreamResponder(EventStreams events, ServerParts server) {
        this.events = events;
        this.server = server;
    }

    @Override
    public void handle(ServerRequest request, ServerResponse response) throws Exception {
        response.header(HeaderNames.CONTENT_TYPE, "text/event-stream");
        response.header(HeaderNames.CACHE_CONTROL, "no-store");
        OutputStream out = response.outputStream();
        var stream = new EventStreamClient(out);
        Actor<Object> actor = server.newWriter("events", request.remotePeer().address())
                .bounded(events.buffer(), Overflow.FAIL)
                .newActorFrom(stream::begin);
        serve(stream, ofEvents(actor));
        if (stream.isLost()) {
            throw new CloseConnectionException("the client of the events was lost");
        }
        out.close();
    }

    private void serve(EventStreamClient stream, Actor<StreamEvent> actor) {
        events.add(actor);
        server.clients().add(stream);
        stream.comment(); // after the registration: a client that has the head of the response misses no event
        try {
            actor.waitForExit();
        } finally {
            events.remove(actor);
            server.clients().remove(stream);
            actor.stop(StopMode.INTERRUPT); // has an effect only if the wait was interrupted
        }
    }

    /** Outside, the actor accepts events only; comments are for its own use. */
    @SuppressWarnings("unchecked")
    private static Actor<StreamEvent> ofEvents(Actor<?> actor) {
        return (Actor<StreamEvent>) actor;
    }
}
