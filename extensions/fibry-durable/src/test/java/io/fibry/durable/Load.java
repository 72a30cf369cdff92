package io.fibry.durable;

/** Entities and clients that use a store while its database fails. */
interface Load extends AutoCloseable {

    /** Waits until every client has this number of further acknowledged asks. */
    void awaitMore(int asks) throws InterruptedException;

    /** Waits for a failure with this text. */
    void awaitFailure(String text) throws InterruptedException;

    /** Ends the clients, waits for everything that is left, and checks that nothing is lost or repeated. */
    void check() throws Exception;

    @Override
    void close();
}
