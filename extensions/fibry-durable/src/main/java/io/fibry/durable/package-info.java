/** Durable state of entities, stored before the reply, on one machine or on a cluster. */
@NullMarked
package io.fibry.durable;

import org.jspecify.annotations.NullMarked;
