package io.fibry.dispatch;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Starts the spares that could not be started when they were needed, because memory or threads had run out. The thread that made
 * the actor ready may be the one that keeps the memory, so it must not wait. One platform thread for the whole JVM does, which is
 * started before it is needed. It is parked as long as no scheduler lacks a spare.
 *
 * <p><b>No scheduler is forgotten.</b> The schedulers that lack a spare form a stack, linked by {@link WorkerScheduler#nextInNeed}
 * so that nothing has to be allocated. A scheduler is pushed by the thread that sets its {@code inNeed} from false to true. The
 * starter takes the whole stack, and clears {@code inNeed} of each before it tries to start a spare. So a request that comes after
 * the attempt pushes the scheduler again; a request that comes before it is answered by the attempt. The thread is unparked after
 * the push, and it looks at the stack before it parks.
 */
final class SpareStarter implements Runnable {

    private static final VarHandle IN_NEED;

    static {
        try {
            IN_NEED = MethodHandles.lookup().findStaticVarHandle(SpareStarter.class, "inNeed", WorkerScheduler.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final Thread THREAD = Thread.ofPlatform()
            .name("fibry-spare-starter")
            .daemon()
            .inheritInheritableThreadLocals(false)
            .unstarted(new SpareStarter());

    static {
        THREAD.start();
    }

    /** The schedulers that lack a spare. */
    private static volatile @Nullable WorkerScheduler inNeed;

    private SpareStarter() {}

    /** Starts the thread, and loads what it needs, while there is memory for it. */
    static void prepare() {
        OutOfMemory.prepare();
        LockSupport.unpark(THREAD);
    }

    /** Has a spare started for this scheduler as soon as possible. Any thread. Allocates nothing. */
    static void startSpareFor(WorkerScheduler scheduler) {
        if (scheduler.becomeInNeed()) {
            push(scheduler);
            LockSupport.unpark(THREAD);
        }
    }

    private static void push(WorkerScheduler scheduler) {
        WorkerScheduler first;
        do {
            first = inNeed;
            scheduler.nextInNeed = first;
        } while (!IN_NEED.compareAndSet(first, scheduler));
    }

    @Override
    public void run() {
        while (true) {
            WorkerScheduler scheduler = (WorkerScheduler) IN_NEED.getAndSet((WorkerScheduler) null);
            if (scheduler == null) {
                LockSupport.park(this);
            } else {
                startSpares(scheduler);
                OutOfMemory.pause();
            }
        }
    }

    private static void startSpares(WorkerScheduler first) {
        for (WorkerScheduler scheduler = first; scheduler != null; ) {
            WorkerScheduler next = scheduler.nextInNeed;
            scheduler.nextInNeed = null;
            scheduler.noLongerInNeed();
            scheduler.ensureSpare();
            scheduler = next;
        }
    }
}
