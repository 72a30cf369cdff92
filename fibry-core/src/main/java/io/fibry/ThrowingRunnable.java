package io.fibry;

/** Code to run that may throw a checked exception. */
@FunctionalInterface
public interface ThrowingRunnable {

    /** Runs the code. */
    void run() throws Exception;
}
