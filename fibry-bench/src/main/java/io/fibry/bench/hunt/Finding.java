package io.fibry.bench.hunt;

/**
 * A program that has failed.
 *
 * @param problem the first problem
 * @param runs how many programs had run until then, this one included
 * @param seconds the time until then
 */
record Finding(Program program, Problem problem, long runs, double seconds) {}
