/** A part of {@code ChaosFleet}: the foreman, which assigns the jobs. */
package io.fibry.examples.fleet;
