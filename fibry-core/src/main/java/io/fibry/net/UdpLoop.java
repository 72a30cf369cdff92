package io.fibry.net;

import io.fibry.Actor;
import io.fibry.ActorStoppedException;
import io.fibry.dispatch.LogText;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.sockets.ClientLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives datagrams until it is stopped, and sends them to an actor. It drops datagrams when too many wait in the
 * mailbox.
 */
final class UdpLoop {

    private static final Logger LOG = LoggerFactory.getLogger(UdpServer.class);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final UdpSocket socket;
    private final DatagramHandler handler;
    private final int maxPending;
    private final AtomicInteger pending = new AtomicInteger();
    private final LongAdder accepted = new LongAdder();
    private final LongAdder dropped = new LongAdder();
    private final ClientLog clients = new ClientLog(LOG);
    private volatile boolean stopped;
    private @Nullable Throwable
            unhandled; // the failure of the last step; used by the loop's thread only, as is the next
    private boolean inTrouble; // since the last datagrams
    private @Nullable SocketAddress client; // of the current datagram; written by the actor only

    UdpLoop(UdpSocket socket, DatagramHandler handler, int maxPending) {
        this.socket = socket;
        this.handler = handler;
        this.maxPending = maxPending;
    }

    /** Runs until {@link #stop}. The actor's behavior must be {@link #handle}. */
    void run(String server, Actor<DatagramPacket> actor) {
        while (!stopped) {
            step(server, actor);
        }
    }

    /** Handles the failure of the last step, or else receives datagrams. The handling may run out of memory too. */
    private void step(String server, Actor<DatagramPacket> actor) {
        Throwable last = unhandled;
        unhandled = null;
        try {
            if (last == null) {
                socket.await();
                receiveAll(actor);
                inTrouble = false;
            } else {
                failed(server, last);
            }
        } catch (IOException | OutOfMemoryError e) {
            unhandled = e;
        } catch (ActorStoppedException e) {
            stopped = true; // a hard stop may reach the actor before this loop
        }
    }

    /** Pauses first: meanwhile, other threads may release memory for the log line. */
    private void failed(String server, Throwable e) {
        if (e instanceof OutOfMemoryError) {
            OutOfMemory.note();
        }
        LockSupport.parkNanos(PAUSE_NANOS);
        if (!inTrouble) {
            LOG.warn("Actor {} cannot receive datagrams: {}; it will retry", LogText.plain(server), LogText.plain(e));
            inTrouble = true;
        }
    }

    private void receiveAll(Actor<DatagramPacket> actor) throws IOException {
        for (var datagram = socket.receive(); datagram != null; datagram = stopped ? null : socket.receive()) {
            if (socket.wasTooLong() || pending.get() >= maxPending) {
                dropped.increment();
            } else {
                tell(actor, datagram);
            }
        }
    }

    private void tell(Actor<DatagramPacket> actor, DatagramPacket datagram) {
        pending.incrementAndGet(); // before the handler can decrement it
        accepted.increment();
        boolean sent = false;
        try {
            actor.tell(datagram);
            sent = true;
        } finally {
            if (!sent) {
                pending.decrementAndGet();
                accepted.decrement();
                dropped.increment();
            }
        }
    }

    void handle(String server, DatagramPacket datagram) {
        pending.decrementAndGet();
        client = datagram.getSocketAddress(); // kept after an Error, for the label in its report
        try {
            handler.handle(datagram, socket);
        } catch (IOException | UncheckedIOException e) {
            clients.info(server, " could not answer " + datagram.getSocketAddress() + ": " + e);
        } catch (Exception e) {
            LOG.error(
                    "Actor {} failed to handle a datagram of {}",
                    LogText.plain(server),
                    datagram.getSocketAddress(),
                    LogText.plainTrace(e));
        }
        client = null;
    }

    /** Returns the label of the actor that handles the datagrams. */
    Object label(String server) {
        return new Object() {
            @Override
            public String toString() {
                SocketAddress inWork = client;
                return server + (inWork == null ? ", datagrams" : ", datagram of " + inWork);
            }
        };
    }

    /** The server has ended. */
    void ended() {
        clients.end();
    }

    /** May be called by any thread, any number of times. */
    void stop() {
        stopped = true;
        socket.wakeUp();
    }

    UdpStats stats() {
        return new UdpStats(accepted.sum(), dropped.sum());
    }
}
