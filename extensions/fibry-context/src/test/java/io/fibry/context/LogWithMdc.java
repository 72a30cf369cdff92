package io.fibry.context;

import org.slf4j.helpers.BasicMDCAdapter;
import org.slf4j.simple.SimpleServiceProvider;
import org.slf4j.spi.MDCAdapter;

/** The log of these tests, with an MDC that keeps what is put there. */
public final class LogWithMdc extends SimpleServiceProvider {

    private final MDCAdapter mdc = new BasicMDCAdapter();

    @Override
    public MDCAdapter getMDCAdapter() {
        return mdc;
    }
}
