package io.fibry.sockets;

import io.fibry.dispatch.OutOfMemory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Tests whether virtual threads that wait for a socket are woken up. Some virtual threads begin to read or write and
 * have to wait. When all of them wait, the calling thread lets the operations proceed.
 *
 * <p>The JDK assigns a file descriptor to one of its pollers by the last bits of its number. Hence there is a reader
 * for each processor, on consecutive descriptors. The JDK has a single poller for writers.
 */
final class SocketProbe implements AutoCloseable {

    /** The outcome of a probe. */
    enum Result {
        /** All threads were woken up. */
        PASSED,
        /** Some threads were not woken up or have not begun in time, or there was no memory for the probe. */
        FAILED,
        /** There were no sockets for the probe, for instance because no file descriptors are left. */
        UNKNOWN
    }

    private static final int MOST_READERS = 32;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int PAGE = 1 << 12;

    private final long end;
    private final List<Channel> open = new ArrayList<>();
    private final List<Waiting> waiting = new ArrayList<>();

    private SocketProbe(long limitNanos) {
        end = System.nanoTime() + limitNanos;
    }

    /** Runs a probe, which takes this time at most. The calling thread must be a platform thread. */
    static Result run(long limitNanos) {
        try (var probe = new SocketProbe(limitNanos)) {
            return probe.run();
        } catch (IOException e) {
            return Result.UNKNOWN;
        } catch (OutOfMemoryError e) {
            OutOfMemory.note();
            return Result.FAILED;
        }
    }

    /** Whether a virtual thread that waits for nothing runs within this time. */
    static boolean virtualThreadsRun(long limitNanos) {
        try (var probe = new SocketProbe(limitNanos)) {
            probe.begin(() -> 0);
            return probe.await(waiting -> waiting.ended) == Result.PASSED;
        } catch (IOException | OutOfMemoryError e) {
            return false;
        }
    }

    private interface Operation {
        int run() throws IOException;
    }

    private interface Condition {
        boolean holds(Waiting waiting);
    }

    /** An operation on a virtual thread. */
    private static final class Waiting implements Runnable {
        private final Operation operation;
        private @Nullable Thread thread;
        private volatile Result result = Result.FAILED; // unless the operation ends otherwise; read after its end
        private volatile boolean ended;

        Waiting(Operation operation) {
            this.operation = operation;
        }

        @Override
        public void run() {
            try {
                operation.run();
                result = Result.PASSED;
            } catch (IOException e) {
                result = Result.UNKNOWN;
            } finally {
                ended = true;
            }
        }

        boolean waits() {
            return ended || (thread != null && thread.getState() == Thread.State.WAITING);
        }
    }

    private Result run() throws IOException {
        List<DatagramChannel> channels = new ArrayList<>();
        int readers = Math.min(MOST_READERS, Runtime.getRuntime().availableProcessors());
        for (int i = 0; i < readers; i++) {
            channels.add(ownChannel());
        }
        Pipe pipe = fullPipe();
        for (DatagramChannel channel : channels) {
            begin(() -> channel.read(ByteBuffer.allocate(1)));
        }
        begin(() -> pipe.sink().write(ByteBuffer.allocate(1)));
        Result begun = await(Waiting::waits);
        if (begun != Result.PASSED) {
            return begun;
        }
        for (DatagramChannel channel : channels) {
            channel.write(ByteBuffer.allocate(1));
        }
        pipe.source().configureBlocking(false);
        var page = ByteBuffer.allocate(PAGE);
        while (pipe.source().read(page) > 0) {
            page.clear();
        }
        return await(waiting -> waiting.ended);
    }

    /** A channel that is connected to itself. */
    private DatagramChannel ownChannel() throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        open.add(channel);
        channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        channel.connect(channel.getLocalAddress());
        return channel;
    }

    private Pipe fullPipe() throws IOException {
        Pipe pipe = Pipe.open();
        open.add(pipe.source());
        open.add(pipe.sink());
        pipe.sink().configureBlocking(false);
        var page = ByteBuffer.allocate(PAGE);
        while (pipe.sink().write(page) > 0) {
            page.clear();
        }
        pipe.sink().configureBlocking(true);
        return pipe;
    }

    private void begin(Operation operation) {
        var next = new Waiting(operation);
        waiting.add(next);
        next.thread = Thread.ofVirtual().name("fibry-socket-probe").start(next);
    }

    private Result await(Condition condition) {
        while (!waiting.stream().allMatch(condition::holds)) {
            if (System.nanoTime() - end > 0) {
                return Result.FAILED;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        for (Waiting w : waiting) {
            if (w.ended && w.result != Result.PASSED) {
                return w.result;
            }
        }
        return Result.PASSED;
    }

    /** Also wakes up the threads that still wait. */
    @Override
    public void close() throws IOException {
        for (Channel channel : open) {
            channel.close();
        }
    }
}
