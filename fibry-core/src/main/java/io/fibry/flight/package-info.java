/**
 * The events of the kernel for JDK Flight Recorder. This package does not depend on actors, and is below all others.
 *
 * <p>{@code jdk.jfr} is an optional module. Code outside this package therefore calls an event class only if
 * {@link io.fibry.flight.Flight#isOn} returns true: the JVM resolves a class when the code that refers to it runs for
 * the first time.
 */
@NullMarked
package io.fibry.flight;

import org.jspecify.annotations.NullMarked;
