package io.fibry.helidon;

import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.spi.ServerConnection;
import java.time.Duration;

/** A connection of Helidon whose requests do not wait for their bodies after its end, whatever has ended it. */
record Http2Connection(ServerConnection connection, Http2Bodies bodies)
        implements ServerConnection, InterruptableTask<Void> {

    @Override
    public void handle(Limit limit) throws InterruptedException {
        try {
            connection.handle(limit);
        } finally {
            bodies.end();
        }
    }

    @Override
    public boolean canInterrupt() {
        return connection instanceof InterruptableTask<?> task && task.canInterrupt();
    }

    @Override
    public Duration idleTime() {
        return connection.idleTime();
    }

    @Override
    public void close(boolean interrupt) {
        connection.close(interrupt);
    }
}
