package io.fibry.dispatch;

import java.util.Map;

/** Lets a {@link Control} decide which actor is next, and which of its threads runs it. */
public final class ControlledDispatcher extends Dispatcher {

    private final DispatchListener listener;
    private final Control control;
    private final PoolDispatcher.Work work;

    public ControlledDispatcher(DispatchListener listener, Control control, PoolDispatcher.Work work) {
        this.listener = listener;
        this.control = control;
        this.work = work;
    }

    @Override
    public void ready(ScheduledActor actor) {
        work.begin();
        control.ready(actor, this);
    }

    @Override
    public String endedBy() {
        return control.endedBy();
    }

    /** Runs a turn. Returns true if the caller has to run another one, and keeps the consumer's role until then. */
    public boolean runTurn(ScheduledActor actor, ControlledRunner runner) {
        work.enter(runner);
        Map<String, String> logContext = LogContext.take();
        boolean more = actor.runTurn(runner, null);
        LogContext.putBack(logContext);
        work.leave(runner);
        listener.runnerGone(runner);
        if (!more) {
            work.end();
            listener.turnsEnded();
        }
        return more;
    }
}
