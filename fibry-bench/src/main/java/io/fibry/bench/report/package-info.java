/**
 * The figures of all benchmarks and peers in one command: {@link io.fibry.bench.report.Report} measures and writes,
 * {@link io.fibry.bench.report.Compare} tells what moved between two runs. Both know of benchmarks only what JMH knows, and
 * that the peers are the values of a parameter of the name {@code peer}. Programs measure servers and latencies; their results
 * have the form of JMH's.
 */
@NullMarked
package io.fibry.bench.report;

import org.jspecify.annotations.NullMarked;
