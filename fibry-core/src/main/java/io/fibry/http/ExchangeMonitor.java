package io.fibry.http;

import com.sun.net.httpserver.HttpExchange;
import io.fibry.dispatch.LogText;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the exchanges of a server, and passes each one to the access log at its end. */
final class ExchangeMonitor {

    private static final Logger LOG = LoggerFactory.getLogger(HttpServerActor.class);
    private static final int CLASSES = 6; // of statuses; 0 for no complete response

    private final @Nullable Consumer<? super HttpAccess> accessLog;
    private final LongAdder[] ended = new LongAdder[CLASSES];
    private final LongAdder refused = new LongAdder();
    private final LongAdder handshakes = new LongAdder(); // that failed
    private final LongAdder received = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final AtomicBoolean failed = new AtomicBoolean();

    ExchangeMonitor(HttpOptions options) {
        accessLog = options.accessLog();
        for (int i = 0; i < CLASSES; i++) {
            ended[i] = new LongAdder();
        }
    }

    /** The time to pass to {@link #ended}; null without an access log, which alone needs it. */
    @Nullable
    Instant now() {
        return accessLog == null ? null : Instant.now();
    }

    void refused() {
        refused.increment();
    }

    void handshakeFailed() {
        handshakes.increment();
    }

    void received(long bytes) {
        received.add(bytes);
    }

    /** Called once for each exchange, whether its response is complete or not. */
    void ended(HttpExchange exchange, ReplySender sender, @Nullable Instant began, boolean complete) {
        int status = sender.isAnswered() ? exchange.getResponseCode() : 0;
        int kind = complete ? status / 100 : 0;
        ended[kind > 0 && kind < CLASSES ? kind : 0].increment();
        sent.add(sender.bytesSent());
        if (accessLog != null && began != null) {
            log(accessLog, exchange, sender, began, status);
        }
    }

    /** The response is sent already, so a failure of the log cannot change it. */
    private void log(
            Consumer<? super HttpAccess> to, HttpExchange exchange, ReplySender sender, Instant began, int status) {
        try {
            to.accept(new HttpAccess(
                    exchange.getRemoteAddress(),
                    began,
                    Duration.between(began, Instant.now()),
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    sender.route(),
                    exchange.getProtocol(),
                    exchange.getRequestHeaders(),
                    status,
                    sender.bytesSent()));
        } catch (RuntimeException e) {
            if (failed.compareAndSet(false, true)) { // once, because it may fail for every request
                LOG.error("The access log has failed; further failures are not logged", LogText.plainTrace(e));
            }
        }
    }

    HttpStats stats(int inWork, long timedOut) {
        return new HttpStats(
                inWork,
                ended[2].sum(),
                ended[3].sum(),
                ended[4].sum(),
                ended[5].sum(),
                ended[0].sum() + ended[1].sum(),
                refused.sum(),
                timedOut,
                handshakes.sum(),
                received.sum(),
                sent.sum());
    }
}
