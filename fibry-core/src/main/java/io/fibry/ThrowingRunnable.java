package io.fibry;

/** Code to run that may throw a checked exception. */
@FunctionalInterface
public interface ThrowingRunnable {

    /** Runs. */
    void run() throws Exception;
}
