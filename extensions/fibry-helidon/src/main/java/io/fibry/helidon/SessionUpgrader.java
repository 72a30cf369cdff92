package io.fibry.helidon;

import io.helidon.http.HttpPrologue;
import io.helidon.http.NotFoundException;
import io.helidon.http.WritableHeaders;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.websocket.WsConfig;
import io.helidon.webserver.websocket.WsRouting;
import io.helidon.webserver.websocket.WsUpgrader;
import io.helidon.websocket.WsListener;
import org.jspecify.annotations.Nullable;

/**
 * Helidon's upgrade to WebSocket, and then connections of our own. Helidon's connections do not report the loss of a
 * client, let two threads write at once, and decode a text wrongly that is divided into frames.
 */
final class SessionUpgrader extends WsUpgrader {

    /** Takes the place of a listener in Helidon's routing. */
    record Target(SessionOpener opener) implements WsListener {}

    private final Gate gate;

    SessionUpgrader(WsConfig config, Gate gate) {
        super(config);
        this.gate = gate;
    }

    @Override
    public @Nullable ServerConnection upgrade(
            ConnectionContext context, HttpPrologue prologue, WritableHeaders<?> headers) {
        if (gate.isClosed() || RequestFilter.faultOfPath(prologue) != null) {
            return null; // then it is a request, which RequestFilter refuses
        }
        SessionOpener opener = opener(context, prologue);
        if (opener == null) {
            return null;
        }
        Handshake.check(prologue, headers);
        if (super.upgrade(context, prologue, headers) == null) {
            return null;
        }
        return new SessionReader(context, prologue, headers, opener);
    }

    private static @Nullable SessionOpener opener(ConnectionContext context, HttpPrologue prologue) {
        try {
            WsRouting routing = context.router().routing(WsRouting.class, WsRouting.empty());
            return routing.findRoute(prologue).listener() instanceof Target target ? target.opener() : null;
        } catch (NotFoundException e) {
            return null;
        }
    }
}
