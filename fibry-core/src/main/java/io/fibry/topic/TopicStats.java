package io.fibry.topic;

/**
 * The counters of a {@link Topic} since its start. They are taken together.
 *
 * @param subscribers the number of subscribers now
 * @param published messages that were passed on, to however many subscribers
 * @param missed how many times a subscriber had no room for a message; what the mailbox of a subscriber drops by its own policy is
 *     not counted here, but in {@link io.fibry.Counters}
 */
public record TopicStats(int subscribers, long published, long missed) {}
