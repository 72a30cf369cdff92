package io.fibry.net;

/**
 * The counters of a {@link UdpServer} since its start. Each one is read by itself, so together they are no consistent snapshot.
 *
 * @param accepted datagrams that were accepted for handling
 * @param dropped datagrams that were dropped because too many were waiting, or because they were too long
 */
public record UdpStats(long accepted, long dropped) {}
