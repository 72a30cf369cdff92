package io.fibry.net;

import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Time;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The time during which a connection does not count against the limits, because its client may have read the end and
 * connect again.
 */
final class Exemption extends Alarm {

    private final OpenConnections all;
    private final @Nullable InetAddress client;
    private final AtomicBoolean over = new AtomicBoolean();

    private Exemption(OpenConnections all, @Nullable InetAddress client) {
        this.all = all;
        this.client = client;
    }

    /** Exempts a connection that has a permit. */
    static Exemption begin(OpenConnections all, @Nullable InetAddress client) {
        var exemption = new Exemption(all, client);
        all.beginGrace(client);
        return exemption;
    }

    /** Ends the exemption after this time, unless {@link #end} or {@link #cancel} is called before. */
    void endAfter(Duration time) {
        startAt(Time.nanos() + time.toNanos(), false);
    }

    /** Ends the exemption. Idempotent. */
    void end() {
        cancel();
        if (over.compareAndSet(false, true)) {
            all.endGrace(client);
        }
    }

    @Override
    public void fire() {
        end();
    }
}
