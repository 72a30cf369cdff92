package io.fibry.testing;

import org.slf4j.helpers.BasicMDCAdapter;
import org.slf4j.simple.SimpleServiceProvider;
import org.slf4j.spi.MDCAdapter;

/** The tests' log with an MDC that keeps its entries: {@code -Dslf4j.provider=io.fibry.testing.LogWithMdc}. */
public final class LogWithMdc extends SimpleServiceProvider {

    private final MDCAdapter mdc = new BasicMDCAdapter();

    @Override
    public MDCAdapter getMDCAdapter() {
        return mdc;
    }
}
