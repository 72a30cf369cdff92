package io.fibry.bench.peers;

import io.fibry.ThrowingConsumer;
import java.util.function.Consumer;

/** The behavior of an actor, for all peers. Adapters use it without a wrapper. */
@FunctionalInterface
public interface Receiver extends Consumer<Object>, ThrowingConsumer<Object> {

    @Override
    void accept(Object message);
}
