/** What a module that runs a cluster provides. */
@NullMarked
package io.fibry.cluster.spi;

import org.jspecify.annotations.NullMarked;
