package io.fibry.cluster.pekko;

import io.fibry.ActorInterruptedException;
import io.fibry.cluster.ClusterJoinException;
import io.fibry.cluster.ClusterOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.remote.RemoteTransportException;
import org.apache.pekko.remote.artery.tcp.SSLEngineProviderSetup;
import org.jspecify.annotations.Nullable;
import scala.Option;

/** Starts Pekko, and waits until this node is a member. */
final class Joining {

    private Joining() {}

    /** Pekko, and the TLS engines of its connections if they are encrypted. */
    record Started(ActorSystem pekko, @Nullable ContextEngines engines) {}

    static Started start(ClusterOptions options) {
        options.checkSecurity();
        BootstrapSetup bootstrap = BootstrapSetup.apply(
                Option.apply(Joining.class.getClassLoader()), Option.apply(Settings.of(options)), Option.empty());
        SSLContext tls = options.tls();
        ContextEngines engines = tls == null ? null : new ContextEngines(tls);
        ActorSystemSetup setup = engines == null
                ? ActorSystemSetup.create(bootstrap)
                : ActorSystemSetup.create(bootstrap, SSLEngineProviderSetup.create(system -> engines));
        try {
            return new Started(ActorSystem.create(options.name(), setup), engines);
        } catch (RemoteTransportException e) {
            throw new ClusterJoinException(
                    "cannot listen on " + options.bindHost() + ":" + options.bindPort() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Waits until this node is a member and is connected to a majority. Throws an exception if the node ends before.
     */
    static void await(NodeStatus status, ClusterOptions options, Formation formation) {
        CompletableFuture<?> joined = status.joined();
        try {
            CompletableFuture.anyOf(joined, status.removed())
                    .get(TimeUnit.NANOSECONDS.convert(options.joinTimeout()), TimeUnit.NANOSECONDS);
            if (!joined.isDone()) {
                String reason = status.stopReason();
                throw new ClusterJoinException(
                        "node " + options.host() + ":" + options.port() + " cannot join cluster " + options.name()
                                + ": "
                                + Objects.requireNonNullElse(
                                        reason,
                                        "it has been refused; all nodes need the same shards, failover, drain and"
                                                + " maxMessageBytes; see the log"),
                        null);
            }
        } catch (TimeoutException e) {
            throw new ClusterJoinException(
                    "node " + options.host() + ":" + options.port() + " has not become a member of cluster "
                            + options.name() + " within " + options.joinTimeout() + ". " + formation.conditions() + " "
                            + SeedCheck.of(formation.contacts(), options),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ActorInterruptedException("interrupted while joining cluster " + options.name(), e);
        } catch (ExecutionException e) {
            throw new AssertionError("neither future fails", e);
        }
    }

    static void end(ActorSystem pekko) {
        CompletableFuture<?> ended = pekko.getWhenTerminated().toCompletableFuture();
        Leaving.leave(pekko, ended, Duration.ofSeconds(10), () -> {});
    }
}
