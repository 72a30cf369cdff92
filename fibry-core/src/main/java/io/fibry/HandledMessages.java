package io.fibry;

import io.fibry.kernel.DumpJson;

/**
 * Numbers of handled messages by source. A message is handled when the behavior has returned or thrown. A stashed
 * message counts when it is handled later.
 *
 * @param sent messages sent with {@code tell} or {@code ask}, and the code given to {@link Actor#execute}
 * @param timers messages of {@link ActorContext#after}, {@link ActorContext#every} and
 *     {@link ActorContext#receiveTimeout}
 * @param piped results of {@link ActorContext#pipeToSelf}
 * @param internal ends of actors that are observed with {@link ActorContext#watch}, and the failures, ends and restarts
 *     of children that a {@link Supervisor} handles
 */
public record HandledMessages(long sent, long timers, long piped, long internal) {

    /** Returns the sum of all sources. */
    public long total() {
        return sent + timers + piped + internal;
    }

    /** Returns a JSON object with the components of this record. */
    public String toJson() {
        return DumpJson.of(this);
    }
}
