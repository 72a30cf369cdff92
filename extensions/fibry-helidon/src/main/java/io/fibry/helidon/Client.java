package io.fibry.helidon;

/** A client that stays connected: a WebSocket session or a stream of events. The server's timer checks it. */
interface Client {

    /**
     * Ends a connection or a write that exceeds a timeout, and sends keep-alive data. Called by the server's thread:
     * never waits.
     */
    void check(long now);

    /** The server stops: ends the connection once everything that was accepted has been sent. Never waits. */
    void goAway();
}
