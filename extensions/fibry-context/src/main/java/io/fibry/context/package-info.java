/**
 * Contexts of Micrometer's context-propagation for messages between actors.
 *
 * <p>Stability: preview.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.context;

import org.jspecify.annotations.NullMarked;
