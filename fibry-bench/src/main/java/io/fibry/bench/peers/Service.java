package io.fibry.bench.peers;

/** The service in front of a {@link Resource}: it queues or refuses requests. It has a single sender. */
public interface Service extends AutoCloseable {

    /**
     * Receives the outcomes of the requests, on any thread: for each request, exactly one of the two methods is called,
     * once.
     */
    interface Client {

        /** The request has used the resource. */
        void answered(Object request);

        /** The request will not use it. */
        void refused(Object request);
    }

    /** Submits a request, and returns at once. */
    void submit(Object request);

    /** Returns whether the service refuses requests when too many wait. */
    boolean isBounded();

    /** Called when all requests have been answered or refused. */
    @Override
    void close();
}
