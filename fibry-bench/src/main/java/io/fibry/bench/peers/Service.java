package io.fibry.bench.peers;

/** What stands before a {@link Resource}: it lets requests wait for it, or refuses them. For one sender. */
public interface Service extends AutoCloseable {

    /** Hears what becomes of the requests, on any thread: for each request one of the two is called, once. */
    interface Client {

        /** The request has used the resource. */
        void answered(Object request);

        /** The request will not use it. */
        void refused(Object request);
    }

    /** Hands a request in, and returns at once. */
    void submit(Object request);

    /** Whether it refuses requests when too many wait. */
    boolean isBounded();

    /** When all requests have their answer or refusal. */
    @Override
    void close();
}
