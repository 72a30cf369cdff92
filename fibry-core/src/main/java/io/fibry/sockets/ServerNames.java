package io.fibry.sockets;

import io.fibry.ActorBuilder;
import io.fibry.ActorSystem;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Names or labels the actors of servers: by the given name, or by kind and port. */
public final class ServerNames {

    private record KindAndPort(String kind, IntSupplier port) {
        @Override
        public String toString() {
            return kind + ":" + port.getAsInt();
        }
    }

    private ServerNames() {}

    /** A builder for a server's actor. The port is read when the label is used, so it may be set later. */
    public static ActorBuilder<Object> actor(ActorSystem system, @Nullable String name, String kind, IntSupplier port) {
        return name != null ? system.actor(name) : system.actor().label(new KindAndPort(kind, port));
    }
}
