/**
 * The events of the kernel for the JDK's Flight Recorder. This package knows nothing of actors, and is below all others.
 *
 * <p>{@code jdk.jfr} is an optional module. So code outside this package calls an event class only if {@link
 * io.fibry.flight.Flight#isOn} says so: the JVM resolves a class when the code that names it runs for the first time.
 */
@NullMarked
package io.fibry.flight;

import org.jspecify.annotations.NullMarked;
