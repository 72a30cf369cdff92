/**
 * Codecs, which encode messages and states as bytes.
 *
 * <p>Stability: preview.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.codec;

import org.jspecify.annotations.NullMarked;
