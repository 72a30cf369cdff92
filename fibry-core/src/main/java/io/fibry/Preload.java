package io.fibry;

import io.fibry.dispatch.OutOfMemory;
import io.fibry.flight.Flight;

/**
 * Loads and initializes the classes of the kernel when the first system is created. A class that is first used while
 * memory is exhausted cannot be initialized, and the JVM does not retry: every later use fails with a
 * {@link NoClassDefFoundError}. This mainly affects the code for errors and overload, which is used late. A dedicated
 * thread loads the classes, so that the program is not delayed.
 */
final class Preload implements Runnable {

    /** All classes of this package and of {@code io.fibry.dispatch}. */
    private static final String CLASSES = """
        Actor ActorBuilder ActorCell ActorContext ActorExit ActorExit$Reason ActorInfo ActorInfo$State
        ActorInterruptedException ActorKind ActorList ActorLook ActorOptions ActorRef ActorState ActorStoppedException
        ActorSystem ActorSystemMXBean ActorTimer Admission Admission$1 Admission$Wait Ancestry AskDeadlockException
        AskSender AskTimeout AskTimeoutException Asks Backoff BehaviorCancelledException BothCarriers CellContext Census Census$Worst
        Census$Worst$Entry ChildMessages ChildMessages$Next Children Circle Circle$Edge Circle$WaitingStack
        CloseFromInside CloseGrace Closing Closing$Ending Closing$Wait ConsumerCell ConsumerCell$WithContext
        ConsumerContext ContextCarrier ContextCarrier$Attached ContextCarrier$Captured Contexts Counters DeadLetter
        DeadLetter$Reason DeadLetters DefaultSystem DeferredReplies Diagnosis Diagnosis$HandlerStack Diagnosis$Idle DirectCall DumpJson
        DumpText DumpText$1 Envelope ExpectedActor Extras Failures Failures$1 FlightLog
        ForwardingActor FunctionCell FunctionCell$Plain FunctionCell$WithContext FunctionContext Handling Incident
        Incident$Kind Incidents InspectedSystem Inspection InstrumentedEnvelope Instruments KeepAlive LastTurn
        LastTurn$1 LastTurn$Step Lifecycle Lifecycle$1 Lifecycle$Ending Link LocalSystem LocalSystem$State Mailbox
        MailboxFullException MailboxSpec MdcCarrier Measure Measure$Kind Measured Measurement MessageAges
        MessageAges$Mark MessageCounts MessageQueue MessageQueue$ByArrival MessageQueue$ByArrival$1 MessageQueue$ByOrder
        MessageQueue$ByOrder$Place Names Overflow Pause Pause$State PendingWork Pipes Pipes$Result ReceiveTimeout Registry
        Registry$Stripe Reply Reply$InContext Reply$InMessage Reply$InMessageAndContext Reply$Limited
        Reply$LimitedInContext Reply$OfSupervisor ReplyActor ReplyContext ReplyTo Reports RestartHistory RestartLimit Restarts RoomFutures RunOnceCell
        SelectiveReceive Shutdown Shutdown$SystemEnding ShutdownHook Signal SignalInContext Sink SinkCell SinkCell$Code
        Stash StopMode StopPhase Stopping Stopping$Ending Strategies Strategies$Platform Strategies$Pool
        Strategies$Virtual StuckReport SupervisedChild SupervisedChild$1 Supervision Supervision$Directive
        Supervision$Rule Supervisor SupervisorCell SupervisorCell$1 SupervisorCell$Command SupervisorSpec
        SupervisorSpec$Child SupervisorSpec$Restart SupervisorSpec$Scope SystemDump SystemDump$Totals SystemOptions
        ThreadStrategy ThrowingConsumer ThrowingFunction ThrowingRunnable TimedStop Timers Timers$Timer Tracking
        Tracking$Stripe
        WaitingRoom WaitingRoom$Outcome WaitingRoom$Wait WaitCycles WaitCycles$Step Waits Waits$Kind Waits$Wait Watchers
        Watchers$Watcher Watching Watching$Watch WorkSnapshot WorkSnapshot$Positions WorkSnapshot$Search
        dispatch.ActorLock dispatch.Alarm dispatch.AlarmThreads dispatch.AlarmThreads$Task dispatch.CarrierWatch
        dispatch.CarrierWatch$Sighting dispatch.Control dispatch.Control$Awaited dispatch.Control$Over
        dispatch.ControlledDispatcher dispatch.ControlledFuture dispatch.ControlledRunner dispatch.DispatchListener
        dispatch.Dispatcher dispatch.Durations dispatch.LogContext dispatch.LogLimit dispatch.LogText dispatch.Nesting dispatch.OutOfMemory
        dispatch.PlatformDispatcher dispatch.PlatformThread dispatch.PoolDispatcher dispatch.PoolDispatcher$Turn
        dispatch.PoolDispatcher$Work dispatch.Runner dispatch.Schedulable dispatch.Slot dispatch.Slots
        dispatch.StackRoom dispatch.Stacks dispatch.Stacks$Helper dispatch.Stacks$Request dispatch.Time dispatch.Worker dispatch.WorkerScheduler dispatch.WorkerTable
        dispatch.WorkerTable$Stripe dispatch.WorkerThreads dispatch.WorkerWatch
        flight.PlainText
        """;

    static {
        Thread.ofPlatform()
                .name("fibry-preload")
                .daemon()
                .inheritInheritableThreadLocals(false)
                .start(new Preload());
    }

    private Preload() {}

    /** Starts the thread, on the first call. */
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
                return; // removed by a tool that shrinks programs; the code that needs the class will fail
            }
        }
    }
}
