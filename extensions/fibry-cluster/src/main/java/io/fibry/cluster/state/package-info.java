/** State of entities that survives: it is stored before the reply, on one machine as on a cluster. */
@NullMarked
package io.fibry.cluster.state;

import org.jspecify.annotations.NullMarked;
