package io.fibry.dispatch;

/**
 * The runner of a thread under a {@link Control}. Its turns have one message each, since the control chooses after each
 * message.
 */
public abstract class ControlledRunner extends ActorThread {

    private final Control control;

    protected ControlledRunner(Control control) {
        super(true);
        this.control = control;
    }

    final Control control() {
        return control;
    }

    @Override
    final void interrupt(Thread itsThread) {
        interruptNow();
    }

    /** Interrupts the thread if it runs, else as soon as it does. */
    protected abstract void interruptNow();

    /** Puts the calling thread under control. */
    public final void adopt() {
        adoptCurrentThread();
    }
}
