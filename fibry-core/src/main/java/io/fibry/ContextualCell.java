package io.fibry;

import java.util.function.Consumer;
import java.util.function.Function;

/** An actor whose behavior sees its context. */
interface ContextualCell<M> {

    /** Handles the next messages in this way. Consumer only. */
    default void become(Consumer<? super M> behavior) {
        throw new IllegalStateException("this actor replies; use becomeWithReturn");
    }

    /** Handles the next messages in this way. Consumer only. */
    default void becomeWithReturn(Function<? super M, ?> behavior) {
        throw new IllegalStateException("this actor does not reply; use become");
    }
}
