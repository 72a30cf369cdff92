/**
 * The figures of all benchmarks and peers in one command: {@link io.fibry.bench.report.Report} measures and writes,
 * {@link io.fibry.bench.report.Compare} compares two runs. Both depend only on JMH's description of benchmarks, and on
 * the convention that the peers are the values of a parameter {@code peer}. Separate programs measure servers and
 * latencies; their results have JMH's format.
 */
@NullMarked
package io.fibry.bench.report;

import org.jspecify.annotations.NullMarked;
