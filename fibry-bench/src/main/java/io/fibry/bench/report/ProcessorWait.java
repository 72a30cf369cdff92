package io.fibry.bench.report;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The time for which a thread was ready to run and waited for a processor, as counted by Linux. */
final class ProcessorWait implements AutoCloseable {

    /** Nanoseconds on a processor, nanoseconds of waiting for one, and time slices, of the thread that opens it. */
    static final Path OF_THIS_THREAD = Path.of("/proc/thread-self/schedstat");

    private final @Nullable FileChannel file;
    private final ByteBuffer buffer = ByteBuffer.allocate(128);

    private ProcessorWait(@Nullable FileChannel file) {
        this.file = file;
    }

    /** Opens a file with the times of a thread. If it does not exist, as on other systems, the wait is always zero. */
    static ProcessorWait open(Path times) throws IOException {
        return new ProcessorWait(Files.exists(times) ? FileChannel.open(times) : null);
    }

    /** Returns the time since the start of the thread, in nanoseconds. */
    long nanos() throws IOException {
        if (file == null) {
            return 0;
        }
        file.read(buffer.clear(), 0);
        String times = StandardCharsets.US_ASCII.decode(buffer.flip()).toString();
        return Long.parseLong(times.split(" ", -1)[1]);
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
