package io.fibry;

import io.fibry.dispatch.OutOfMemory;
import io.fibry.flight.Flight;

/**
 * Loads and initializes the classes of the kernel when the first system is created. Otherwise a class that is first used while
 * the heap is full could not be initialized, and Java does not try that again: every later use fails with a
 * {@link NoClassDefFoundError}. That concerns the paths for errors and overload most, since they are used late. A thread of its
 * own does it, so that it does not delay the program.
 */
final class Preload implements Runnable {

    /** All classes of this package and of {@code io.fibry.dispatch}. */
    private static final String CLASSES = """
        Actor ActorBuilder ActorCell ActorContext ActorExit$Reason ActorExit ActorInterruptedException ActorKind
        ActorInfo$State ActorInfo ActorLook ActorList ActorOptions ActorState ActorStoppedException ActorSystem
        ActorSystemMXBean ActorTimer Admission$1 Admission$Wait Admission Ancestry AskDeadlockException AskTimeout
        AskTimeoutException AskSender Asks Backoff CellContext Census$Worst$Entry Census$Worst Census ChildMessages$Next
        ChildMessages Children Circle$Edge Circle$WaitingStack Circle CloseFromInside CloseGrace Closing$Ending
        Closing$Wait Closing ConsumerCell$WithContext ConsumerCell ConsumerContext Counters DeadLetter$Reason
        DeadLetter DeadLetters DefaultSystem DeferredReplies Diagnosis$HandlerStack Diagnosis DirectCall DumpJson
        DumpText$1 DumpText Envelope ExpectedActor$Ending ExpectedActor Extras Failures$1 Failures ForwardingActor
        FunctionCell$Plain FunctionCell$WithContext FunctionCell FunctionContext InspectedSystem Inspection KeepAlive
        LastTurn$1 LastTurn$Step LastTurn BothCarriers ContextCarrier$Attached ContextCarrier$Captured ContextCarrier
        Contexts MdcCarrier SignalInContext SystemOptions Reply$InContext Reply$InMessageAndContext Reply$LimitedInContext FlightLog Handling
        InstrumentedEnvelope Instruments
        Lifecycle$1 Lifecycle$Ending Lifecycle Link LocalSystem$State LocalSystem Mailbox
        MailboxFullException MailboxSpec MessageCounts MessageQueue$ByArrival$1 MessageQueue$ByArrival
        MessageQueue$ByOrder$Place MessageQueue$ByOrder MessageQueue Names Overflow Pause$State Pause
        Pipes$Result Pipes ReceiveTimeout Registry$Stripe Registry Reply$InMessage Reply$Limited Reply ReplyActor ReplyContext
        ReplyTo Reports RestartHistory RestartLimit Restarts RunOnceCell SelectiveReceive Shutdown$SystemEnding Shutdown ShutdownHook
        Signal Sink SinkCell$Code SinkCell Stash StopMode StopPhase Stopping$Ending Stopping Strategies$Platform
        Strategies$Pool Strategies$Virtual Strategies StuckReport SupervisedChild$1 SupervisedChild
        Supervision$Directive Supervision$Rule Supervision Supervisor SupervisorCell$1 SupervisorCell$Command
        SupervisorCell SupervisorSpec$Child SupervisorSpec$Restart SupervisorSpec$Scope SupervisorSpec
        SystemDump$Totals SystemDump SystemOptions ThreadStrategy ThrowingConsumer ThrowingFunction ThrowingRunnable
        Timers$Timer Timers Tracking$Stripe Tracking WaitingRoom$Outcome WaitingRoom$Wait WaitingRoom Waits$Kind
        Waits$Step Waits$Wait Waits Watchers$Watcher Watchers Watching$Watch Watching WorkSnapshot$Positions
        WorkSnapshot dispatch.ActorLock dispatch.Alarm dispatch.AlarmThreads$Task dispatch.AlarmThreads
        dispatch.CarrierWatch$Sighting dispatch.CarrierWatch
        dispatch.DispatchListener dispatch.Dispatcher dispatch.Durations dispatch.LogLimit dispatch.Nesting dispatch.OutOfMemory
        dispatch.PlatformDispatcher dispatch.PlatformThread dispatch.PoolDispatcher$Turn
        dispatch.PoolDispatcher$Work dispatch.PoolDispatcher dispatch.Runner dispatch.Schedulable dispatch.Slot
        dispatch.Slots dispatch.StackRoom
        dispatch.WakeUps dispatch.Worker dispatch.WorkerScheduler dispatch.WorkerTable$Stripe
        dispatch.WorkerTable dispatch.WorkerWatch
        """;

    static {
        Thread.ofPlatform()
                .name("fibry-preload")
                .daemon()
                .inheritInheritableThreadLocals(false)
                .start(new Preload());
    }

    private Preload() {}

    /** Begins, if nobody has before. */
    static void begin() {}

    @Override
    public void run() {
        Flight.listen();
        for (String name : names()) {
            load(name);
        }
    }

    /** The names of the classes, without {@code io.fibry}. */
    static String[] names() {
        return CLASSES.strip().split("\\s+");
    }

    private static void load(String name) {
        while (true) {
            try {
                Class.forName("io.fibry." + name, true, Preload.class.getClassLoader());
                return;
            } catch (OutOfMemoryError e) {
                OutOfMemory.pause();
            } catch (ClassNotFoundException | LinkageError e) {
                return; // left out by a tool that shrinks programs; who needs the class will say so
            }
        }
    }
}
