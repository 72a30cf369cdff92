/** The parts of {@code AbTcpHello}: the load generator, and a server in a process of its own. */
package io.fibry.examples.ab;
