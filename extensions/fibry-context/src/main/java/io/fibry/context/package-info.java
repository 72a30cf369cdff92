/** Contexts of Micrometer's context-propagation for messages between actors. */
@NullMarked
package io.fibry.context;

import org.jspecify.annotations.NullMarked;
