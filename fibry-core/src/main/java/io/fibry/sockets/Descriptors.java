package io.fibry.sockets;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The limit of the operating system for the open files and sockets of this process, which {@code ulimit -n} shows. A
 * server that accepts more connections than that cannot accept any more, nor refuse them.
 */
public final class Descriptors {

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Pattern LINE = Pattern.compile("Max open files +(\\d+) ");

    private Descriptors() {}

    /**
     * The number of connections for which there are descriptors, but at most {@code most}. A quarter of the descriptors
     * is left to the rest of the program.
     *
     * @param each the descriptors that one connection takes
     */
    public static int connections(int each, int most) {
        long limit = limit();
        return Math.clamp((limit - limit / 4) / each, 1, most);
    }

    /** Read at each call: the limit of a running process may be changed. Only Linux provides it in a file. */
    private static long limit() {
        try {
            Matcher line = LINE.matcher(Files.isReadable(LIMITS) ? Files.readString(LIMITS) : "");
            return line.find() ? Long.parseLong(line.group(1)) : Long.MAX_VALUE;
        } catch (IOException e) {
            return Long.MAX_VALUE; // unknown; the server waits for descriptors if there are none
        }
    }
}
