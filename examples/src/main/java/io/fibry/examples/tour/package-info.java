/** The parts of {@code Tour}: measurements, their comparison, and the output. */
package io.fibry.examples.tour;
