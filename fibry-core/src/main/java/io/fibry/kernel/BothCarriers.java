package io.fibry.kernel;

import io.fibry.ContextCarrier;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Combines two carriers. An exception of one of them must not leave the context of the other attached to a thread. */
public record BothCarriers(ContextCarrier first, ContextCarrier second) implements ContextCarrier {

    @Override
    public Captured capture() {
        return new BothCaptured(first.capture(), second.capture());
    }

    private record BothCaptured(Captured first, Captured second) implements Captured {

        @Override
        public Attached attach() {
            return attach(Captured::attach);
        }

        @Override
        public Attached attach(@Nullable String actor, Object message) {
            return attach(captured -> captured.attach(actor, message));
        }

        private Attached attach(Function<Captured, Attached> attachment) {
            Attached outer = attachment.apply(first);
            try {
                return new BothAttached(this, outer, attachment.apply(second));
            } catch (Throwable t) {
                outer.close();
                throw t;
            }
        }
    }

    private record BothAttached(BothCaptured captured, Attached outer, Attached inner) implements Attached {

        @Override
        public void failed(Throwable failure) {
            try {
                inner.failed(failure);
            } finally {
                outer.failed(failure);
            }
        }

        @Override
        public @Nullable Captured suspend() {
            Captured second = null;
            Captured first;
            try {
                second = inner.suspend();
            } finally {
                first = outer.suspend();
            }
            return first == null && second == null
                    ? null
                    : new BothCaptured(
                            Objects.requireNonNullElse(first, captured.first),
                            Objects.requireNonNullElse(second, captured.second));
        }

        @Override
        public void close() {
            try {
                inner.close();
            } finally {
                outer.close();
            }
        }
    }
}
