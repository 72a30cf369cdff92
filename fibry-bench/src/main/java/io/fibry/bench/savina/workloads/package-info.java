/** The workloads of the suite, written from their descriptions. Each knows its expected result. */
@NullMarked
package io.fibry.bench.savina.workloads;

import org.jspecify.annotations.NullMarked;
