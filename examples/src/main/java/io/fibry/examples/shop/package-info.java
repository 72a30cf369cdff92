/** A part of {@code Shop}: the actors, with their faults. */
package io.fibry.examples.shop;
