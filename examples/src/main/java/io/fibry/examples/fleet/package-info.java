/** A part of {@code ChaosFleet}: who gives out the work. */
package io.fibry.examples.fleet;
