package io.fibry.flight;

/** The {@linkplain CoarseTimer timers} of the events of each message. Called by one thread, when Flight is on. */
public final class TimedEvents {

    private TimedEvents() {}

    /** Begins the next tick. Returns whether some of these events are recorded. */
    public static boolean tick(long nanoTime) {
        boolean waits = QueueTimeEvent.TIMER.tick(new QueueTimeEvent(), nanoTime);
        boolean runs = RunEvent.TIMER.tick(new RunEvent(), nanoTime);
        boolean asks = AskEvent.TIMER.tick(new AskEvent(), nanoTime);
        return waits || runs || asks;
    }

    /** Called before the thread does not tick for some time. */
    public static void stop() {
        QueueTimeEvent.TIMER.stop(new QueueTimeEvent());
        RunEvent.TIMER.stop(new RunEvent());
        AskEvent.TIMER.stop(new AskEvent());
    }
}
