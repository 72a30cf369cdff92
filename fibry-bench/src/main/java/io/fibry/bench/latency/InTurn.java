package io.fibry.bench.latency;

import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Sends messages to several actors in turn. Not thread-safe. */
final class InTurn implements Consumer<Timed> {

    private final Object[] actors;
    private final BiConsumer<Object, Timed> send;
    private int next;

    InTurn(Object[] actors, BiConsumer<Object, Timed> send) {
        this.actors = actors;
        this.send = send;
    }

    @Override
    public void accept(Timed message) {
        send.accept(actors[next], message);
        next = (next + 1) % actors.length;
    }
}
