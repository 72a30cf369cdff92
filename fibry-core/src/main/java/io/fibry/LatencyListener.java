package io.fibry;

/** Receives measured times of messages: see {@link ActorSystem#onLatency}. */
@FunctionalInterface
public interface LatencyListener {

    /**
     * Called for each measured time, by the thread of the actor or of the reply, possibly by several threads
     * concurrently. It must be quick, and must not use actors. An exception is logged, at most once a second.
     *
     * @param actor the actor that received the message
     * @param nanos the time in nanoseconds
     */
    void measured(Actor<?> actor, Latency.Kind kind, long nanos);
}
