package io.fibry.examples.ab;

/** The result of one run of ab. */
public record AbResult(double perSecond, int complete, int failed) {}
