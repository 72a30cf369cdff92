package io.fibry.context;

import io.micrometer.context.ThreadLocalAccessor;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;

/** OpenTelemetry's context, for Micrometer's context-propagation. */
final class CurrentTrace implements ThreadLocalAccessor<Context> {

    @Override
    public Object key() {
        return "opentelemetry";
    }

    @Override
    public Context getValue() {
        Context current = Context.current();
        return current.equals(Context.root()) ? null : current;
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // the accessor restores the previous context in another call
    public void setValue(Context context) {
        Scope unused = context.makeCurrent();
    }

    @Override
    public void setValue() {
        setValue(Context.root());
    }
}
