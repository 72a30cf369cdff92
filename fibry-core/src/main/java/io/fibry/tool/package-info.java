/**
 * The command line of the jar: {@code java -jar fibry-core.jar}. It runs in its own JVM, reads another one through its
 * public interface, and depends on no other package, so that it also runs without SLF4J.
 */
@NullMarked
package io.fibry.tool;

import org.jspecify.annotations.NullMarked;
