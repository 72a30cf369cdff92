package io.fibry.helidon;

import io.fibry.Overflow;
import io.fibry.sockets.Checks;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a WebSocket endpoint. Immutable: each method with a parameter returns new options, and the method of
 * the same name without a parameter returns the value.
 */
public final class WebSocketOptions {

    private static final WebSocketOptions DEFAULTS = new WebSocketOptions(
            256, Overflow.FAIL, 256, 64 * 1024, Duration.ofMinutes(1), Duration.ofSeconds(20), Duration.ofSeconds(30));

    private final int outbox;
    private final Overflow overflow;
    private final int inbox;
    private final int maxMessageBytes;
    private final Duration idleTimeout;
    private final @Nullable Duration pingPeriod;
    private final Duration writeTimeout;

    private WebSocketOptions(
            int outbox,
            Overflow overflow,
            int inbox,
            int maxMessageBytes,
            Duration idleTimeout,
            @Nullable Duration pingPeriod,
            Duration writeTimeout) {
        this.outbox = outbox;
        this.overflow = overflow;
        this.inbox = inbox;
        this.maxMessageBytes = maxMessageBytes;
        this.idleTimeout = idleTimeout;
        this.pingPeriod = pingPeriod;
        this.writeTimeout = writeTimeout;
    }

    /**
     * The default options: an outbox of 256 messages that fails if it is full, an inbox of 256 messages, messages of at
     * most 64 KiB, an idle timeout of a minute, a ping every 20 seconds, a write timeout of 30 seconds.
     */
    public static WebSocketOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Sets how many messages may wait for a slow client, and the policy for further ones. {@link Overflow#BLOCK} suits
     * an actor that serves one session only: then the client has to read before it may send more. An actor that serves
     * several sessions must not wait for one of them.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public WebSocketOptions outbox(int messages, Overflow overflow) {
        Checks.checkPositive("outbox", messages);
        Objects.requireNonNull(overflow, "overflow");
        return new WebSocketOptions(messages, overflow, inbox, maxMessageBytes, idleTimeout, pingPeriod, writeTimeout);
    }

    /**
     * Sets how many received messages may wait for the session's actor. Then nothing more is read from the client.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public WebSocketOptions inbox(int messages) {
        Checks.checkPositive("inbox", messages);
        return new WebSocketOptions(outbox, overflow, messages, maxMessageBytes, idleTimeout, pingPeriod, writeTimeout);
    }

    /**
     * Sets the maximum size of a received message, whose frames are joined. A larger one closes the session with the
     * status 1009.
     *
     * @throws IllegalArgumentException if the number is not positive
     */
    public WebSocketOptions maxMessageBytes(int bytes) {
        Checks.checkPositive("maxMessageBytes", bytes);
        return new WebSocketOptions(outbox, overflow, inbox, bytes, idleTimeout, pingPeriod, writeTimeout);
    }

    /**
     * Sets how long a client may send no whole frame. Then the session is closed with the status 1001. The answer to a
     * ping is a frame, so with pings only a client that is gone is idle.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public WebSocketOptions idleTimeout(Duration timeout) {
        Checks.checkPositive("idleTimeout", Objects.requireNonNull(timeout, "timeout"));
        return new WebSocketOptions(outbox, overflow, inbox, maxMessageBytes, timeout, pingPeriod, writeTimeout);
    }

    /**
     * Sets after which time without a frame from the client it is sent a ping, or null for no pings. Without pings, the
     * idle timeout also ends the sessions of clients that are only quiet.
     *
     * @throws IllegalArgumentException if the period is not positive
     */
    public WebSocketOptions pingPeriod(@Nullable Duration period) {
        Checks.checkPositive("pingPeriod", period);
        return new WebSocketOptions(outbox, overflow, inbox, maxMessageBytes, idleTimeout, period, writeTimeout);
    }

    /**
     * Sets how long the client may take to accept a message, and to answer a close. Then the connection is cut.
     *
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public WebSocketOptions writeTimeout(Duration timeout) {
        Checks.checkPositive("writeTimeout", Objects.requireNonNull(timeout, "timeout"));
        return new WebSocketOptions(outbox, overflow, inbox, maxMessageBytes, idleTimeout, pingPeriod, timeout);
    }

    // ---- the values

    public int outbox() {
        return outbox;
    }

    public Overflow overflow() {
        return overflow;
    }

    public int inbox() {
        return inbox;
    }

    public int maxMessageBytes() {
        return maxMessageBytes;
    }

    public Duration idleTimeout() {
        return idleTimeout;
    }

    public @Nullable Duration pingPeriod() {
        return pingPeriod;
    }

    public Duration writeTimeout() {
        return writeTimeout;
    }
}
