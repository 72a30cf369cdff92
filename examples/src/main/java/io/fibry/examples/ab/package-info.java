/** The parts of {@code AbTcpHello}: the load generator, and a server in its own process. */
package io.fibry.examples.ab;
