package io.fibry.topic;

/**
 * A consistent snapshot of the counters of a {@link LocalTopic} since its start.
 *
 * @param subscribers the current number of subscribers
 * @param published messages that were forwarded, each counted once
 * @param missed the number of messages dropped because a subscriber's mailbox was full or threw, summed over the
 *     subscribers; messages dropped by the overflow policy of a subscriber's mailbox are counted in
 *     {@link io.fibry.SystemStats}
 */
public record TopicStats(int subscribers, long published, long missed) {}
