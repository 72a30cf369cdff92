package io.fibry.bench.net;

import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.io.Tcp;
import org.apache.pekko.io.TcpMessage;
import org.apache.pekko.util.ByteString;

/**
 * The TCP server of Pekko in its intended use: an actor for each connection, which receives the bytes as messages.
 */
final class PekkoTcp extends AbstractActor {

    private static final int BACKLOG = 1024;

    private final CompletableFuture<Integer> port;
    private final boolean keeps;

    private PekkoTcp(CompletableFuture<Integer> port, boolean keeps) {
        this.port = port;
        this.keeps = keeps;
    }

    /**
     * Starts the server, and returns its port.
     *
     * @param keeps whether it answers more than one request per connection
     */
    static int start(boolean keeps) {
        var config = ConfigFactory.parseString("pekko.loglevel = OFF").withFallback(ConfigFactory.load());
        var port = new CompletableFuture<Integer>();
        ActorSystem.create("bench", config).actorOf(Props.create(PekkoTcp.class, () -> new PekkoTcp(port, keeps)));
        return port.join();
    }

    @Override
    public void preStart() {
        var address = new InetSocketAddress(0);
        Tcp.get(getContext().getSystem()).manager().tell(TcpMessage.bind(getSelf(), address, BACKLOG), getSelf());
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(
                        Tcp.Bound.class,
                        bound -> port.complete(bound.localAddress().getPort()))
                .match(
                        Tcp.CommandFailed.class,
                        failed -> port.completeExceptionally(new IOException("Pekko cannot listen: " + failed)))
                .match(Tcp.Connected.class, connected -> accept())
                .build();
    }

    private void accept() {
        ActorRef handler = getContext().actorOf(Props.create(Connection.class, () -> new Connection(keeps)));
        getSender().tell(TcpMessage.register(handler), getSelf());
    }

    /** Answers at the empty line, and closes unless connections are kept. */
    private static final class Connection extends AbstractActor {

        private final boolean keeps;
        private final ByteString answer;
        private final StringBuilder request = new StringBuilder();

        Connection(boolean keeps) {
            this.keeps = keeps;
            answer = ByteString.fromString(keeps ? Servers.KEPT_ANSWER : Servers.ANSWER);
        }

        @Override
        public Receive createReceive() {
            return receiveBuilder()
                    .match(Tcp.Received.class, received -> read(received.data()))
                    .match(Tcp.ConnectionClosed.class, closed -> getContext().stop(getSelf()))
                    .build();
        }

        private void read(ByteString bytes) {
            request.append(bytes.utf8String());
            if (request.indexOf("\n\r\n") >= 0) {
                request.setLength(0);
                getSender().tell(TcpMessage.write(answer), getSelf());
                if (!keeps) {
                    getSender().tell(TcpMessage.close(), getSelf());
                }
            }
        }
    }
}
