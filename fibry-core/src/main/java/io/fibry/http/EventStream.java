package io.fibry.http;

import com.sun.net.httpserver.HttpExchange;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.LogText;
import io.fibry.dispatch.OutOfMemory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stream of server-sent events to one client, which a browser reads with {@code EventSource}.
 * {@link HttpRoutes#events} passes it to the handler of each request. The stream ends when the handler returns; a
 * browser then connects again.
 *
 * {@snippet class = "HttpSnippets" region = "events"}
 *
 * <p><b>Threads.</b> Any thread may send. Each event is written as a whole, in the order of the calls. A call returns
 * when the operating system has accepted the event, so a slow client slows its senders down. If the client accepts
 * nothing for {@link HttpOptions#writeTimeout}, the stream breaks. After the end of the stream, a call throws
 * {@link IOException}.
 *
 * <p><b>Clients that disconnect.</b> The next {@code send} throws {@link IOException}, and a {@link #pause} throws it
 * within 15 seconds. The handler should not catch this exception; it is not logged as a failure.
 *
 * <p><b>Stop.</b> A server that stops waits for its handlers. {@link #pause} then returns false, and the actions of
 * {@link #onStop} run. At the deadline of {@code close}, the connections of the remaining handlers are closed.
 */
public final class EventStream {

    private static final Logger LOG = LoggerFactory.getLogger(HttpServerActor.class);

    /**
     * Comments are sent so often, to detect a client that has disconnected, and to keep proxies from ending a silent
     * connection.
     */
    private static final long HEARTBEAT_NANOS = Duration.ofSeconds(15).toNanos();

    private static final Pattern LINE_BREAK = Pattern.compile("\r\n|[\r\n]");
    private static final String COMMENT = ":\n\n";

    private final HttpExchange exchange;
    private final OutputStream out;
    private final ReentrantLock writing = new ReentrantLock();
    private final CountDownLatch stopping = new CountDownLatch(1);

    /** Not held while an action runs. No action runs after the end, since {@link #end} waits for the running ones. */
    private final ReentrantLock acting = new ReentrantLock();

    private final Condition acted = acting.newCondition();
    private final Queue<Runnable> onStop = new ArrayDeque<>(); // guarded by acting, as are the next two
    private int running; // the number of actions that a thread has taken
    private boolean over;
    private volatile @Nullable IOException broken;
    private boolean ended; // guarded by writing

    private EventStream(HttpExchange exchange) {
        this.exchange = exchange;
        out = exchange.getResponseBody();
    }

    /** Sends the head, and runs the handler. */
    static void serve(HttpExchange exchange, EventStreamHandler handler) throws Exception {
        var headers = exchange.getResponseHeaders();
        headers.set("Content-Type", "text/event-stream");
        headers.set("Cache-Control", "no-store");
        headers.set("X-Accel-Buffering", "no"); // otherwise nginx collects events before it passes them on
        exchange.sendResponseHeaders(200, 0);
        var stream = new EventStream(exchange);
        ExchangeGate gate = GuardedExchange.guardOf(exchange).gate();
        Runnable stop = stream::stop;
        gate.onClose(stop);
        try {
            stream.write(COMMENT); // the client learns at once that the stream is open
            handler.handle(stream);
        } catch (Exception e) {
            throw stream.broken == null ? e : new ClientLeftException(e);
        } finally {
            gate.forget(stop);
            stream.end();
        }
        if (stream.broken != null) {
            throw new ClientLeftException(stream.broken);
        }
    }

    /**
     * Returns the request, with its headers and {@link HttpParameters parameters}. Its response belongs to this stream.
     */
    public HttpExchange exchange() {
        return exchange;
    }

    /** Returns the id of the last event that the client got before it connected again, or empty. */
    public Optional<String> lastEventId() {
        return Optional.ofNullable(exchange.getRequestHeaders().getFirst("Last-Event-ID"));
    }

    /**
     * Sends an event whose text may have several lines.
     *
     * @throws IOException if the client has disconnected, or is too slow
     */
    public void send(String data) throws IOException {
        send(null, null, data);
    }

    /**
     * Sends an event with a name, for {@code addEventListener}, and an id, which the client repeats when it connects
     * again. Each may be null for none.
     *
     * @throws IllegalArgumentException if the name or the id contains a line break, or the id a NUL
     * @throws IOException if the client has disconnected, or is too slow
     */
    public void send(@Nullable String name, @Nullable String id, String data) throws IOException {
        var event = new StringBuilder();
        field(event, "event", name);
        field(event, "id", id);
        for (String line : LINE_BREAK.split(data, -1)) {
            event.append("data: ").append(line).append('\n');
        }
        write(event.append('\n').toString());
    }

    /**
     * Sends the time for which the client waits before it connects again.
     *
     * @throws IllegalArgumentException if the time is negative; nothing has been sent then
     */
    public void retryAfter(Duration wait) throws IOException {
        write("retry: " + Durations.notNegative("wait", wait).toMillis() + "\n\n");
    }

    private static void field(StringBuilder event, String field, @Nullable String value) {
        if (value == null) {
            return;
        }
        if (value.chars().anyMatch(c -> c == '\n' || c == '\r' || c == 0)) {
            throw new IllegalArgumentException("an event's " + field + " must not contain a line break or a NUL");
        }
        event.append(field).append(": ").append(value).append('\n');
    }

    private void write(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        writing.lock();
        try {
            if (ended) {
                throw new IOException("the event stream has ended");
            }
            out.write(bytes);
            out.flush();
        } catch (IOException e) {
            broken = e;
            throw e;
        } finally {
            writing.unlock();
        }
    }

    /**
     * Prevents further actions, and writes by other threads, because the server ends the response next. A handler that
     * sees a stop at once may return before the stop has run the actions; they run here then. Waits for the actions
     * that other threads are running.
     */
    private void end() {
        acting.lock();
        try {
            over = true;
            if (!isStopping()) {
                onStop.clear();
            }
        } finally {
            acting.unlock();
        }
        runActions();
        acting.lock();
        try {
            while (running > 0) {
                acted.awaitUninterruptibly();
            }
        } finally {
            acting.unlock();
        }
        writing.lock();
        try {
            ended = true;
        } finally {
            writing.unlock();
        }
    }

    /**
     * Waits for the given time before the next event. Only the handler may call this method.
     *
     * @return false if the server is stopping, or {@link #stop} was called; the handler then has to return
     * @throws IllegalArgumentException if the time is negative
     * @throws IOException if the client has disconnected
     * @throws InterruptedException if the stop of the server no longer waits for the handler
     */
    public boolean pause(Duration time) throws IOException, InterruptedException {
        long left = TimeUnit.NANOSECONDS.convert(Durations.notNegative("time", time));
        while (left > 0) {
            long step = Math.min(left, HEARTBEAT_NANOS);
            if (stopping.await(step, TimeUnit.NANOSECONDS)) {
                return false;
            }
            left -= step;
            if (left > 0) {
                write(COMMENT);
            }
        }
        return !isStopping();
    }

    /** Returns whether the server is stopping, or {@link #stop} was called; the handler then has to return. */
    public boolean isStopping() {
        return stopping.getCount() == 0;
    }

    /**
     * Registers an action that runs when the server stops or {@link #stop} is called; if that has happened, it runs
     * immediately. It is for handlers that wait outside of {@link #pause}, for instance for a message. The action must
     * not block: the end of the stream waits for it. It runs once if the stop precedes that end, and never otherwise.
     */
    public void onStop(Runnable action) {
        acting.lock();
        try {
            if (!over) {
                onStop.add(action);
            }
        } finally {
            acting.unlock();
        }
        if (isStopping()) { // otherwise stop, which first sets the flag, runs the action
            runActions();
        }
    }

    /**
     * Requests the handler to return, as a stop of the server does: {@link #pause} returns false, and the actions of
     * {@link #onStop} run. Any thread may call this method, for instance when the same client opens another stream.
     */
    public void stop() {
        stopping.countDown();
        runActions();
    }

    /** Runs the actions without the lock: an action may wait for a lock whose owner stops this stream. */
    private void runActions() {
        for (Runnable action = takeAction(); action != null; action = takeAction()) {
            try {
                action.run();
            } catch (Throwable t) { // of the program; it affects neither the other actions nor the stop of the server
                report(t);
            } finally {
                actionEnds();
            }
        }
    }

    private @Nullable Runnable takeAction() {
        acting.lock();
        try {
            Runnable action = onStop.poll();
            running += action == null ? 0 : 1;
            return action;
        } finally {
            acting.unlock();
        }
    }

    private void actionEnds() {
        acting.lock();
        try {
            running--;
            acted.signalAll();
        } finally {
            acting.unlock();
        }
    }

    private static void report(Throwable t) {
        try {
            LOG.error("An action for the stop of an event stream failed", LogText.plainTrace(t));
        } catch (OutOfMemoryError e) {
            OutOfMemory.note();
        }
    }
}
