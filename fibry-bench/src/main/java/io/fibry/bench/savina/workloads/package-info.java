/** The workloads of the suite, written from their descriptions. Each knows the result that it must have. */
@NullMarked
package io.fibry.bench.savina.workloads;

import org.jspecify.annotations.NullMarked;
