package io.fibry.cluster.pekko;

import io.fibry.dispatch.LogLimit;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.event.EventStream;
import org.apache.pekko.event.slf4j.Slf4jLoggingFilter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pekko's filter of log messages, which in addition limits the warnings of the stages that decode received frames to
 * one per second. Without TLS, any client that reaches the port could otherwise fill the disk: each frame that cannot
 * be decoded is a warning. Pekko finds this class by the name in {@code cluster.conf}.
 */
public final class LimitedWarnings extends Slf4jLoggingFilter {

    private static final Set<String> LIMITED =
            Set.of("org.apache.pekko.remote.artery.Decoder", "org.apache.pekko.remote.artery.Deserializer");

    private static final Logger LOG = LoggerFactory.getLogger(LimitedWarnings.class);

    private final LogLimit limit = new LogLimit();
    private final AtomicLong badFrames = new AtomicLong();

    /** Called by Pekko. */
    public LimitedWarnings(ActorSystem.Settings settings, EventStream events) {
        super(settings, events);
    }

    @Override
    public boolean isWarningEnabled(Class<?> source, String text) {
        if (!LIMITED.contains(source.getName())) {
            return super.isWarningEnabled(source, text);
        }
        badFrames.incrementAndGet();
        if (!super.isWarningEnabled(source, text) || !limit.tryLog()) {
            return false;
        }
        long suppressed = limit.takeSuppressed();
        if (suppressed > 0) {
            LOG.warn("{} more frames could not be decoded", suppressed);
        }
        return true;
    }

    /** Returns the number of received frames that could not be decoded. */
    long badFrames() {
        return badFrames.get();
    }
}
