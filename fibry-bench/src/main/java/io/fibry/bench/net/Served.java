package io.fibry.bench.net;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A client with a persistent connection that sends its next request after each answer. It retries after a refusal. */
final class Served {

    static final int PATIENCE_MILLIS = 30_000;

    private static final byte[] REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(ISO_8859_1);
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: (\\d+)\r\n");
    private static final long PAUSE_NANOS = 10_000_000;

    private final int port;
    private final boolean http;
    private final LongAdder answers;
    private final Thread thread;
    private volatile boolean halted;

    /** The counter of its answers. */
    Served(int port, boolean http, LongAdder answers) {
        this.port = port;
        this.http = http;
        this.answers = answers;
        thread = Thread.ofPlatform().start(this::run);
    }

    private void run() {
        while (!halted) {
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setSoTimeout(PATIENCE_MILLIS);
                socket.setTcpNoDelay(true);
                var in = new BufferedInputStream(socket.getInputStream());
                while (!halted && (http ? isAnswered(in, socket) : isEchoed(in, socket))) {
                    answers.increment();
                }
            } catch (IOException refused) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private static boolean isEchoed(InputStream in, Socket socket) throws IOException {
        socket.getOutputStream().write('x');
        return in.read() == 'x';
    }

    /** Sends a request, reads the response, and returns whether its status is 200. */
    static boolean isAnswered(InputStream in, Socket socket) throws IOException {
        socket.getOutputStream().write(REQUEST);
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n", Math.max(0, head.length() - 4)) < 0) {
            int c = in.read();
            if (c < 0) {
                return false;
            }
            head.append((char) c);
        }
        Matcher length = LENGTH.matcher(head);
        in.skipNBytes(length.find() ? Long.parseLong(length.group(1)) : 0);
        return head.indexOf("HTTP/1.1 200 ") == 0;
    }

    void halt() throws InterruptedException {
        halted = true;
        thread.join();
    }
}
