/** The service interface for cluster implementations. */
@NullMarked
package io.fibry.cluster.spi;

import org.jspecify.annotations.NullMarked;
