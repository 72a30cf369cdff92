package io.fibry;

import java.util.List;

/**
 * An actor with metrics of its own, such as a server. A {@link ForwardingActor} that implements this interface, and
 * calls {@link ForwardingActor#beFoundByName} when it is fully constructed, is included in
 * {@link ActorSystem#metrics()} until it ends, if it has a name. With a label instead of a name, it is included as
 * long as the system knows it: see {@link ActorSystem#dump}. The system adds the tag {@code server}, with the name or
 * the label. Keep the number of metrics and labels small: monitoring systems store each value of a tag.
 */
public interface MetricSource {

    /**
     * Returns the current metrics. Called by any thread, possibly concurrently, and possibly shortly after the end of
     * the actor; it must be quick. An exception is logged, and this actor is omitted.
     */
    List<Metric> metrics();
}
