package io.fibry.sockets;

import io.fibry.dispatch.LogLimit;
import io.fibry.dispatch.LogText;
import org.slf4j.Logger;

/**
 * The log lines of a server about clients whose requests or connections broke: at most one a second. An attacker breaks
 * thousands of connections, and must not fill the log. Each line is a {@linkplain LogText#plain plain text}: it may
 * have bytes of a client. For any number of threads.
 */
public final class ClientLog {

    private final Logger log;
    private final LogLimit limit = new LogLimit();
    private volatile Object server = "";

    public ClientLog(Logger log) {
        this.log = log;
    }

    /**
     * Writes a line, or suppresses and counts it. The next line, or {@link #end}, reports the number of suppressed
     * lines. The text is appended to "Actor [server]".
     */
    public void info(Object server, String line) {
        this.server = server;
        if (log.isInfoEnabled() && limit.tryLog()) {
            long suppressed = limit.takeSuppressed();
            log.info(
                    "Actor {}{}{}",
                    LogText.plain(server),
                    LogText.plain(line),
                    suppressed == 0 ? "" : "; " + suppressed + " more such lines were left out");
        }
    }

    /** The server has ended: writes the number of lines that were left out since the last one. */
    public void end() {
        long suppressed = limit.takeSuppressed();
        if (suppressed > 0) {
            log.info(
                    "Actor {} has ended; {} more lines about its clients were left out",
                    LogText.plain(server),
                    suppressed);
        }
    }
}
