package io.fibry.sockets;

import io.fibry.ActorBuilder;
import java.util.function.IntSupplier;

/** Labels the actors of servers that have no name by their kind and port. */
public final class ServerNames {

    private record KindAndPort(String kind, IntSupplier port) {
        @Override
        public String toString() {
            return kind + ":" + port.getAsInt();
        }
    }

    private ServerNames() {}

    /**
     * Returns a copy of the builder, for the actor of a server. If it has neither a name nor a label, it gets a label.
     * The port is read when the label is used, so it may be set later.
     *
     * @throws IllegalArgumentException if the builder has {@link ActorBuilder#supervision}, which each server sets
     */
    public static ActorBuilder<Object> actor(ActorBuilder<Object> builder, String kind, IntSupplier port) {
        ActorBuilder<Object> copy =
                builder.checkNoSupervision("a server stops if it fails").copy();
        return copy.name() == null && copy.label() == null ? copy.label(new KindAndPort(kind, port)) : copy;
    }
}
