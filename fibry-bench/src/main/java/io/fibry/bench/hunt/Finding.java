package io.fibry.bench.hunt;

/**
 * A program that has failed.
 *
 * @param problem the first problem
 * @param runs the number of programs that have run, including this one
 * @param seconds the time until then
 */
record Finding(Program program, Problem problem, long runs, double seconds) {}
