/** Keys for the examples. */
package io.fibry.examples.tls;
