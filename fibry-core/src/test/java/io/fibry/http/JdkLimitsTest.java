package io.fibry.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.LogLines;
import io.fibry.testing.NoLeftovers;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The limits that all servers of a JVM share are set by the first server; others log a warning if they request
 * different ones.
 */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class JdkLimitsTest {

    @Test
    void aLimitOfTheJvmOnlyCannotBeStricter() {
        int shared = shared("jdk.httpserver.maxConnections");
        assertEquals(1, warnings("maxConnections", options -> options.maxConnections(shared + 1)));
        assertEquals(1, warnings("maxConnections", options -> options.maxConnections(shared - 1)));
        assertEquals(0, warnings("maxConnections", options -> options.maxConnections(shared)));
    }

    @Test
    void aLimitThatEachServerEnforcesCanBeStricter() {
        int shared = shared("sun.net.httpserver.maxReqHeaders");
        assertEquals(1, warnings("maxReqHeaders", options -> options.maxHeaders(shared + 1)));
        assertEquals(0, warnings("maxReqHeaders", options -> options.maxHeaders(shared - 1)));
    }

    @Test
    void aTimeoutMayLastForever() {
        shared("sun.net.httpserver.maxReqTime"); // otherwise it would last forever in all tests of this JVM
        Duration forever = ChronoUnit.FOREVER.getDuration();
        assertEquals(
                2,
                warnings(
                        "",
                        options -> options.requestTimeout(forever)
                                .idleTimeout(forever)
                                .writeTimeout(forever)));
    }

    @Test
    void timeoutsAreRoundedUpToSeconds() {
        assertEquals(1, JdkLimits.wholeSeconds(Duration.ofNanos(1)));
        assertEquals(1, JdkLimits.wholeSeconds(Duration.ofSeconds(1)));
        assertEquals(2, JdkLimits.wholeSeconds(Duration.ofSeconds(1, 1)));
        assertEquals(Integer.MAX_VALUE, JdkLimits.wholeSeconds(ChronoUnit.FOREVER.getDuration()));
    }

    /** The limits that the first server of this JVM has set, if it was not this one. */
    private static int shared(String property) {
        JdkLimits.set(HttpOptions.defaults());
        return Integer.getInteger(property);
    }

    private static int warnings(String limit, UnaryOperator<HttpOptions> wish) {
        try (var log = new LogLines();
                var system = ActorSystem.create()) {
            HttpOptions options = wish.apply(HttpOptions.defaults());
            HttpServerActor.start(system.actor().strategy(ThreadStrategy.virtual()), 0, HttpRoutes.none(), options);
            return log.with(limit + " is ", "set by its first HTTP server").size();
        }
    }
}
