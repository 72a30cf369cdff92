package io.fibry.net;

/**
 * What a {@link UdpServer} has counted since its start, each number by itself.
 *
 * @param accepted datagrams that were, or will be, handled
 * @param dropped datagrams that were not, because too many were waiting, or because they were too long
 */
public record UdpStats(long accepted, long dropped) {}
