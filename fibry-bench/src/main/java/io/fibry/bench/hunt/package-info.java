/**
 * A generator of random actor systems that searches for faults of the kernel. {@link io.fibry.bench.hunt.Hunt} is the
 * program. A seed determines a {@code Program}, a {@code Trial} runs it and checks the accounting, and a
 * {@code Shrinker} removes the steps that are not necessary for a failure.
 */
@NullMarked
package io.fibry.bench.hunt;

import org.jspecify.annotations.NullMarked;
