package io.fibry.helidon;

import io.fibry.Actor;
import io.fibry.ActorInterruptedException;
import io.fibry.ActorStoppedException;
import io.fibry.MailboxFullException;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.http.Headers;
import io.helidon.http.HttpPrologue;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.websocket.WsCloseException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads the input of one client, and passes the messages to the session's actor. Runs on the thread of the connection.
 */
final class SessionReader implements ServerConnection {

    private final ConnectionContext context;
    private final HttpPrologue prologue;
    private final Headers headers;
    private final SessionOpener opener;
    private final FrameReader frames;
    private final MessageAssembler messages;
    private volatile @Nullable Thread thread;

    SessionReader(ConnectionContext context, HttpPrologue prologue, Headers headers, SessionOpener opener) {
        this.context = context;
        this.prologue = prologue;
        this.headers = headers;
        this.opener = opener;
        frames = new FrameReader(context.dataReader());
        messages = new MessageAssembler(opener.route().options().maxMessageBytes());
    }

    ConnectionContext context() {
        return context;
    }

    @Override
    public void handle(Limit limit) throws InterruptedException {
        thread = Thread.currentThread();
        SessionLink link = opener.newLink(this);
        CloseStatus how = CloseStatus.lost("the session could not be opened");
        try {
            Actor<WebSocketMessage> handler = opener.open(link, prologue, headers);
            how = CloseStatus.lost("the client has disconnected");
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
                open = readFrame(link, handler);
            }
        } catch (WsCloseException e) {
            refuse(link, e.closeCode(), String.valueOf(e.getMessage()));
        }
    }

    /** False if this was the last frame of the connection. */
    private boolean readFrame(SessionLink link, @Nullable Actor<WebSocketMessage> handler) throws InterruptedException {
        frames.next();
        int opcode = frames.opcode();
        if (opcode < FrameReader.CLOSE) {
            messages.check(opcode, frames.length());
        }
        byte[] payload = frames.payload();
        link.received();
        switch (opcode) {
            case FrameReader.PING -> link.writer().pong(payload);
            case FrameReader.PONG -> {} // it counts as a frame, and that is all
            case FrameReader.CLOSE -> {
                link.closedByClient(CloseStatus.received(payload));
                link.awaitCloseFrame();
                return false;
            }
            default -> {
                WebSocketMessage message = messages.add(opcode, payload, frames.isLast());
                if (message != null && handler != null && link.status() == null) {
                    deliver(message, link, handler);
                }
            }
        }
        return true;
    }

    /**
     * Ends the session, and waits for the client's close frame. If the connection were closed while input is unread,
     * the client might not get the close frame.
     */
    private void refuse(SessionLink link, int code, String reason) throws InterruptedException {
        boolean closed = frames.hasClosed();
        link.close(CloseStatus.toSend(code, reason));
        link.awaitCloseFrame();
        link.linger();
        if (!closed) {
            frames.skipToClose(); // or until the client hangs up, or the connection is cut
        }
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
