/** A part of {@code Bank}: accounts, customers, and a report. */
package io.fibry.examples.bank;
