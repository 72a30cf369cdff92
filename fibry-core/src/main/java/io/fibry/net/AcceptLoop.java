package io.fibry.net;

import io.fibry.ActorBuilder;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections until its listen socket is closed. The permit of a connection is taken before it is accepted, so that
 * beyond the limit the operating system holds the clients.
 *
 * <p>If an accept fails, that may be the fault of one connection, or there may be no file descriptor or no thread left. The
 * messages of the operating system do not tell reliably; but in the second case the next attempt fails at once as well. So
 * from the second failure in a row there is a pause before each further attempt.
 */
final class AcceptLoop {

    private static final Logger LOG = LoggerFactory.getLogger(TcpAcceptor.class);
    private static final long FIRST_PAUSE_MILLIS = 10;
    private static final long LONGEST_PAUSE_MILLIS = 1000;

    private final ServerSocket listener;
    private final ConnectionHandler handler;
    private final Semaphore permits;
    private final CountDownLatch stopped = new CountDownLatch(1);

    private long pause; // the loop's thread only

    AcceptLoop(ServerSocket listener, ConnectionHandler handler, int maxConnections) {
        this.listener = listener;
        this.handler = handler;
        permits = new Semaphore(maxConnections);
    }

    /** Accepts, each connection as one of those actors, until {@link #stop}. */
    void run(String acceptor, ActorBuilder actors) {
        boolean failed = false;
        while (!listener.isClosed()) {
            permits.acquireUninterruptibly();
            try {
                new Connection(acceptor, handler, permits).accept(listener, actors);
                failed = false;
                pause = 0;
            } catch (IOException | RuntimeException | OutOfMemoryError e) {
                if (failed && !listener.isClosed()) {
                    pause(acceptor, e);
                }
                failed = true;
            }
        }
    }

    private void pause(String acceptor, Throwable e) {
        if (pause == 0) {
            LOG.warn("Actor {} cannot accept connections: {}; it goes on trying", acceptor, e.toString());
        }
        pause = Math.clamp(pause * 2, FIRST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS);
        try {
            if (stopped.await(pause, TimeUnit.MILLISECONDS)) {
                LOG.debug("Actor {} was stopped while it waited to try again", acceptor);
            }
        } catch (InterruptedException stop) {
            LOG.debug("Actor {} was interrupted while it waited to try again", acceptor);
        }
    }

    /** Closes the listen socket and wakes the loop wherever it waits. Any thread, any number of times. */
    void stop() {
        try {
            listener.close();
        } catch (IOException e) {
            LOG.warn("A listen socket was not closed in order", e);
        }
        stopped.countDown();
        permits.release(); // one more than there are; nobody is accepted any more
    }
}
