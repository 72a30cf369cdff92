package io.fibry.bench.peers;

import io.fibry.ThrowingConsumer;
import java.util.function.Consumer;

/** The behavior of an actor, for all peers: each gets it as it is, and no wrapper is measured. */
@FunctionalInterface
public interface Receiver extends Consumer<Object>, ThrowingConsumer<Object> {

    @Override
    void accept(Object message);
}
