/** Codecs, which encode messages and states as bytes. */
@NullMarked
package io.fibry.codec;

import org.jspecify.annotations.NullMarked;
