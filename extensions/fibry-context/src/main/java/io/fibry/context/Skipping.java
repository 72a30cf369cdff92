package io.fibry.context;

import io.fibry.ContextCarrier.Attached;

/** Marks threads that handle a message that is not sampled: its own messages are not sampled either. */
final class Skipping {

    private static final Attached NOTHING = () -> {};

    private final ThreadLocal<Boolean> mark = new ThreadLocal<>();

    boolean isOn() {
        return Boolean.TRUE.equals(mark.get());
    }

    Attached set(boolean on) {
        boolean before = isOn();
        if (before == on) {
            return NOTHING;
        }
        change(on);
        return () -> change(before);
    }

    private void change(boolean on) {
        if (on) {
            mark.set(true);
        } else {
            mark.remove();
        }
    }
}
