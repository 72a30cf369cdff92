package io.fibry.testing;

import io.fibry.ContextCarrier;
import io.fibry.ThrowingRunnable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A context for tests: one text for each thread. */
public final class TextContext implements ContextCarrier {

    private static final ThreadLocal<@Nullable String> TEXT = new ThreadLocal<>();

    public final AtomicInteger captures = new AtomicInteger();

    public static @Nullable String get() {
        return TEXT.get();
    }

    public static void set(@Nullable String text) {
        TEXT.set(text);
    }

    /** Runs code with this text. */
    public static void with(String text, ThrowingRunnable code) throws Exception {
        String before = TEXT.get();
        TEXT.set(text);
        try {
            code.run();
        } finally {
            TEXT.set(before);
        }
    }

    @Override
    public Captured capture() {
        captures.incrementAndGet();
        String text = TEXT.get();
        return () -> {
            String before = TEXT.get();
            TEXT.set(text);
            return () -> TEXT.set(before);
        };
    }
}
