package io.fibry.http;

/** Sends the events of one request; see {@link HttpRoutes#events}. */
@FunctionalInterface
public interface EventStreamHandler {

    /**
     * Sends events until there are no more, or {@link EventStream#isStopping}. Each request runs in an actor, so the
     * handler may block.
     *
     * @throws Exception any failure: it is logged, and the connection is closed
     */
    void handle(EventStream events) throws Exception;
}
