package io.fibry.examples.ab;

/** What ab reports of one run. */
public record AbResult(double perSecond, int complete, int failed) {}
