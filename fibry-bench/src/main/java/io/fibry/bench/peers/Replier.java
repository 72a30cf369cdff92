package io.fibry.bench.peers;

import io.fibry.ThrowingFunction;
import java.util.function.UnaryOperator;

/** Like {@link Receiver}, for an actor that replies. */
@FunctionalInterface
public interface Replier extends UnaryOperator<Object>, ThrowingFunction<Object, Object> {

    @Override
    Object apply(Object message);
}
