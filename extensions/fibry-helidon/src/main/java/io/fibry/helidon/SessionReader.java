package io.fibry.helidon;

import io.fibry.Actor;
import io.fibry.ActorInterruptedException;
import io.fibry.ActorStoppedException;
import io.fibry.MailboxFullException;
import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.http.Headers;
import io.helidon.http.HttpPrologue;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.websocket.ClientWsFrame;
import io.helidon.websocket.WsCloseException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads what one client sends, and passes the messages to the session's actor. Runs on the thread of the connection. */
final class SessionReader implements ServerConnection {

    private final ConnectionContext context;
    private final HttpPrologue prologue;
    private final Headers headers;
    private final SessionOpener opener;
    private final MessageAssembler messages;
    private volatile @Nullable Thread thread;

    SessionReader(ConnectionContext context, HttpPrologue prologue, Headers headers, SessionOpener opener) {
        this.context = context;
        this.prologue = prologue;
        this.headers = headers;
        this.opener = opener;
        messages = new MessageAssembler(opener.route().options().maxMessageBytes());
    }

    ConnectionContext context() {
        return context;
    }

    @Override
    public void handle(Limit limit) throws InterruptedException {
        thread = Thread.currentThread();
        SessionLink link = opener.newLink(this);
        Actor<WebSocketMessage> handler = opener.open(link, prologue, headers);
        CloseStatus how = CloseStatus.lost("the client has disconnected");
        try {
            readAll(link, handler);
        } catch (DataReader.InsufficientDataAvailableException | ActorInterruptedException e) {
            throw new CloseConnectionException(how.reason(), e);
        } finally {
            link.ended(how);
        }
    }

    private void readAll(SessionLink link, @Nullable Actor<WebSocketMessage> handler) throws InterruptedException {
        try {
            boolean open = true;
            while (open) {
                open = handle(ClientWsFrame.read(context, context.dataReader(), messages.mostBytes()), link, handler);
            }
        } catch (WsCloseException e) {
            refuse(link, e.closeCode(), String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) { // Helidon knows no such frame
            refuse(link, CloseStatus.PROTOCOL_ERROR, "unknown frame");
        }
    }

    /** False if this was the last frame of the connection. */
    private boolean handle(ClientWsFrame frame, SessionLink link, @Nullable Actor<WebSocketMessage> handler)
            throws InterruptedException {
        link.received();
        BufferData payload = frame.payloadData();
        MessageAssembler.check(frame);
        switch (frame.opCode()) {
            case TEXT, BINARY, CONTINUATION -> {
                WebSocketMessage message = messages.add(frame.opCode(), payload, frame.fin());
                if (message != null && handler != null && link.status() == null) {
                    deliver(message, link, handler);
                }
            }
            case PING -> link.writer().pong(payload.readBytes());
            case PONG -> {} // it counts as a frame, and that is all
            case CLOSE -> {
                link.closedByClient(closeStatus(payload));
                link.awaitCloseFrame();
                return false;
            }
        }
        return true;
    }

    /** If the connection were closed while input is unread, the client might not get the close frame. */
    private void refuse(SessionLink link, int code, String reason) throws InterruptedException {
        link.close(CloseStatus.toSend(code, reason));
        link.awaitCloseFrame();
        link.linger();
        DataReader in = context.dataReader();
        while (true) { // until the client hangs up, or the connection is cut
            in.ensureAvailable();
            in.skip(in.available());
        }
    }

    private static CloseStatus closeStatus(BufferData payload) {
        int code = payload.available() < 2 ? CloseStatus.NORMAL : payload.readInt16();
        return new CloseStatus(code, payload.readString(payload.available(), StandardCharsets.UTF_8), true);
    }

    private static void deliver(WebSocketMessage message, SessionLink link, Actor<WebSocketMessage> handler) {
        link.delivering(true);
        try {
            handler.tell(message);
        } catch (ActorStoppedException e) {
            link.received(); // it has ended, which closes the session
        } catch (MailboxFullException e) {
            link.close(CloseStatus.toSend(CloseStatus.OVERLOADED, "too many messages"));
        } finally {
            link.delivering(false);
        }
    }

    /** Helidon does not close it for being idle: the session has a timeout of its own. */
    @Override
    public Duration idleTime() {
        return Duration.ZERO;
    }

    /** Called by Helidon when it stops, after the sessions have ended, or to cut them. */
    @Override
    public void close(boolean interrupt) {
        Thread t = thread;
        if (interrupt && t != null) {
            t.interrupt();
        }
    }
}
