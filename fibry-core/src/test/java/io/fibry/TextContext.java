package io.fibry;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A context for tests: one text for each thread. */
final class TextContext implements ContextCarrier {

    private static final ThreadLocal<@Nullable String> TEXT = new ThreadLocal<>();

    final AtomicInteger captures = new AtomicInteger();

    static @Nullable String get() {
        return TEXT.get();
    }

    static void set(@Nullable String text) {
        TEXT.set(text);
    }

    /** Runs code with this text. */
    static void with(String text, ThrowingRunnable code) throws Exception {
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
