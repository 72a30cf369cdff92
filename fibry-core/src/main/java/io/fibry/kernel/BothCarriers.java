package io.fibry.kernel;

import io.fibry.ContextCarrier;

/** Combines two carriers. An exception of one of them must not leave the context of the other attached to a thread. */
public record BothCarriers(ContextCarrier first, ContextCarrier second) implements ContextCarrier {

    @Override
    public Captured capture() {
        Captured a = first.capture();
        Captured b = second.capture();
        return () -> attach(a, b);
    }

    private static Attached attach(Captured a, Captured b) {
        Attached outer = a.attach();
        try {
            Attached inner = b.attach();
            return () -> close(outer, inner);
        } catch (Throwable t) {
            outer.close();
            throw t;
        }
    }

    private static void close(Attached outer, Attached inner) {
        try {
            inner.close();
        } finally {
            outer.close();
        }
    }
}
