package io.fibry.net;

/**
 * What a {@link TcpAcceptor} has counted since its start, each number by itself.
 *
 * @param accepted connections that got a handler
 * @param refused connections that were reset at once, because there were too many
 * @param failedAccepts accepts that failed: the client was gone already, or there were no descriptors or no threads left
 * @param timedOut connections that were reset because of the idle timeout or the handshake timeout
 */
public record TcpStats(long accepted, long refused, long failedAccepts, long timedOut) {}
