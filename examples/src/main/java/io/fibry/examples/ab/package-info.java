/** The parts of {@code AbTcpHello}: the program that puts on the load, and a server in a process of its own. */
package io.fibry.examples.ab;
