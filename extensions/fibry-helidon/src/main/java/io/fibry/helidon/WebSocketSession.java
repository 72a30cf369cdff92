package io.fibry.helidon;

import io.fibry.Actor;
import io.fibry.ActorStoppedException;
import io.fibry.ForwardingActor;
import io.fibry.MailboxFullException;
import io.fibry.StopMode;
import io.helidon.http.Headers;
import io.helidon.http.HttpPrologue;
import java.util.Objects;
import java.util.Optional;

/**
 * A WebSocket of one client: an actor that sends each message it receives. Any thread may use it, and any actor may
 * {@link io.fibry.ActorContext#watch} it.
 *
 * <p><b>Outbox.</b> Messages wait in its bounded mailbox, and are written one after the other. {@link
 * WebSocketOptions#outbox} sets the policy for a full mailbox. A slow client delays no other client, unless a sender
 * waits for it.
 *
 * <p><b>End.</b> It ends when either side closes the connection, and {@link #closeStatus} has the reason. A session
 * that is stopped sends the accepted messages, then a close frame, and waits for the client's. Messages that cannot be
 * sent because the client was lost are discarded. With a harder {@link StopMode} than {@code DRAIN}, the connection is
 * cut.
 */
public final class WebSocketSession extends ForwardingActor<WebSocketMessage> {

    private final SessionLink link;
    private final HttpPrologue prologue;
    private final Headers headers;

    WebSocketSession(Actor<WebSocketMessage> actor, SessionLink link, HttpPrologue prologue, Headers headers) {
        super(actor);
        this.link = link;
        this.prologue = prologue;
        this.headers = headers;
    }

    /**
     * Sends a text message if it can. Unlike {@code tell}, it does not throw if the session has ended or its outbox is
     * full, so it suits a loop over many sessions. If the policy is {@link io.fibry.Overflow#BLOCK}, it waits for room.
     *
     * @return whether the message was accepted; false also if an interrupt ended the wait
     */
    public boolean send(String text) {
        return offer(new WebSocketMessage.Text(text));
    }

    /** Sends a binary message if it can; otherwise as {@link #send(String)}. The array is not copied. */
    public boolean send(byte[] bytes) {
        return offer(new WebSocketMessage.Binary(bytes));
    }

    private boolean offer(WebSocketMessage message) {
        try {
            tell(message);
            return true;
        } catch (ActorStoppedException | MailboxFullException e) {
            return false;
        }
    }

    /**
     * Ends the session with a status for the client, after the accepted messages. Does not wait. A session that is
     * ending already keeps its first status.
     *
     * @param code from 1000 to 1003, from 1007 to 1014, or one of your own from 3000 to 4999
     * @param reason a short text, or an empty one
     * @throws IllegalArgumentException if the code must not be sent, or the reason has more than 123 bytes
     */
    public void close(int code, String reason) {
        link.close(CloseStatus.toSend(code, reason));
    }

    /** Why the session ends or has ended; empty while it is open. */
    public Optional<CloseStatus> closeStatus() {
        return Optional.ofNullable(link.status());
    }

    /** The first line of the client's request: its path and its query. */
    public HttpPrologue prologue() {
        return prologue;
    }

    /** The headers of the client's request. */
    public Headers headers() {
        return headers;
    }

    /** Cuts the connection first: the actor may end before its hook runs, and would then send a close frame. */
    @Override
    public void stop(StopMode mode) {
        if (Objects.requireNonNull(mode, "mode") != StopMode.DRAIN) {
            link.cut("the session was stopped");
        }
        super.stop(mode);
    }

    @Override
    public WebSocketSession closeOnExit(AutoCloseable... resources) {
        super.closeOnExit(resources);
        return this;
    }
}
