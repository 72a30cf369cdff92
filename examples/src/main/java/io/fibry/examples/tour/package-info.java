/** The parts of the Tour: what it measures, how it compares, and how it prints. */
package io.fibry.examples.tour;
