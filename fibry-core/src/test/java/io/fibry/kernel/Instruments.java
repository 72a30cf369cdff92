package io.fibry.kernel;

import java.lang.reflect.Field;

/** The instrumentation that earlier tests in this JVM have switched on for good. */
final class Instruments {

    private Instruments() {}

    /** Switches it off. No system of an earlier test is open. */
    static void forget() {
        try {
            Field always = Instrumentation.class.getDeclaredField("always");
            always.setAccessible(true);
            always.setBoolean(null, false);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
        Instrumentation.beginSampling();
        Instrumentation.endSampling(); // computes the state again
    }
}
