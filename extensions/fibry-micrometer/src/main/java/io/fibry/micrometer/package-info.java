/** Metrics of actor systems for Micrometer. */
@NullMarked
package io.fibry.micrometer;

import org.jspecify.annotations.NullMarked;
