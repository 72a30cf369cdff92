package io.fibry.cluster.pekko;

import io.fibry.ActorInterruptedException;
import io.fibry.cluster.ClusterConfig;
import io.fibry.cluster.ClusterJoinException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.remote.RemoteTransportException;
import org.apache.pekko.remote.artery.tcp.SSLEngineProviderSetup;
import scala.Option;

/** Starts Pekko, and waits until this node is a member. */
final class Joining {

    private Joining() {}

    static ActorSystem started(ClusterConfig config) {
        config.checkSecurity();
        BootstrapSetup bootstrap = BootstrapSetup.apply(
                Option.apply(Joining.class.getClassLoader()), Option.apply(Settings.of(config)), Option.empty());
        SSLContext tls = config.tls();
        ActorSystemSetup setup = tls == null
                ? ActorSystemSetup.create(bootstrap)
                : ActorSystemSetup.create(bootstrap, SSLEngineProviderSetup.create(s -> new ContextEngines(tls)));
        try {
            return ActorSystem.create(config.name(), setup);
        } catch (RemoteTransportException e) {
            throw new ClusterJoinException(
                    "cannot listen on " + config.bindHost() + ":" + config.bindPort() + ": " + e.getMessage(), e);
        }
    }

    static void awaitUp(ActorSystem pekko, ClusterConfig config) {
        var up = new CountDownLatch(1);
        Cluster.get(pekko).registerOnMemberUp(up::countDown);
        try {
            if (!up.await(config.joinTimeout().toNanos(), TimeUnit.NANOSECONDS)) {
                throw new ClusterJoinException(
                        "node " + config.host() + ":" + config.port() + " has not become a member of cluster "
                                + config.name() + " within " + config.joinTimeout() + ". The seeds are "
                                + config.seeds()
                                + ": at least one must run, with the same name, shards and failover, and the first one"
                                + " must be started if there is no cluster yet; the log says more",
                        null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ActorInterruptedException("interrupted while joining cluster " + config.name(), e);
        }
    }

    static void end(ActorSystem pekko) {
        pekko.terminate();
        Leaving.await(pekko.getWhenTerminated().toCompletableFuture(), java.time.Duration.ofSeconds(10));
    }
}
