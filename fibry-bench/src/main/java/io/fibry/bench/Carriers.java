package io.fibry.bench;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A scheduler of virtual threads on two platform threads, and minimal actors that run on it. The actors have neither
 * supervision nor a stop, and there are no time slices.
 */
final class Carriers implements Executor {

    static final int COUNT = 2;

    /** How the turns of the minimal actors get a thread. */
    enum Turns {
        /** On a carrier, without a virtual thread. A handler that blocks blocks the carrier. */
        DIRECT,
        /**
         * On a virtual thread. If it blocks, its carrier starts the next one for the actors that are ready. A handler
         * that computes for long delays an actor.
         */
        NOTICE,
        /** On a virtual thread. Another one, the spare, is started whenever an actor is ready. */
        SPARE
    }

    private final Turns turns;
    private final ThreadFactory threads;
    private final Queue<Runnable> runnable = new ConcurrentLinkedQueue<>();
    private final Queue<Member> ready = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean spareIsComing = new AtomicBoolean();
    private final Carrier[] carriers = new Carrier[COUNT];

    Carriers(Turns turns) throws ReflectiveOperationException {
        this.turns = turns;
        threads = threadsOn(this);
        for (int i = 0; i < COUNT; i++) {
            carriers[i] = new Carrier();
        }
        for (Carrier carrier : carriers) {
            carrier.start();
        }
    }

    /** A factory of virtual threads on a scheduler. Needs {@code --add-opens java.base/java.lang=ALL-UNNAMED}. */
    private static ThreadFactory threadsOn(Executor scheduler) throws ReflectiveOperationException {
        var constructor =
                Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder").getDeclaredConstructor(Executor.class);
        constructor.setAccessible(true);
        return ((Thread.Builder.OfVirtual) constructor.newInstance(scheduler))
                .inheritInheritableThreadLocals(false)
                .factory();
    }

    /** Virtual threads on these carriers. */
    ThreadFactory threads() {
        return threads;
    }

    Consumer<Long> actor(Consumer<Long> behavior) {
        return new Member(behavior);
    }

    /** Called by the JDK for a virtual thread that starts or continues. */
    @Override
    public void execute(Runnable continuation) {
        runnable.add(continuation);
        if (!(Thread.currentThread() instanceof Carrier)) { // a carrier takes it itself
            wakeOne();
        }
    }

    private void wakeOne() {
        for (Carrier carrier : carriers) {
            if (carrier.idle.get() && carrier.idle.compareAndSet(true, false)) {
                LockSupport.unpark(carrier);
                return;
            }
        }
    }

    private final class Carrier extends Thread {
        final AtomicBoolean idle = new AtomicBoolean();

        Carrier() {
            super("carrier");
            setDaemon(true);
        }

        @Override
        public void run() {
            while (true) {
                if (!ranOne()) {
                    idle.set(true); // before the check
                    if (runnable.isEmpty() && (turns == Turns.SPARE || ready.isEmpty())) {
                        LockSupport.park(this);
                    }
                    idle.set(false);
                }
            }
        }

        private boolean ranOne() {
            Runnable continuation = runnable.poll();
            if (continuation != null) {
                continuation.run(); // returns when the virtual thread blocks, yields or ends
                return true;
            }
            if (turns == Turns.DIRECT) {
                Member member = ready.poll();
                if (member != null) {
                    member.turn();
                }
                return member != null;
            }
            if (turns == Turns.NOTICE && !ready.isEmpty()) {
                startWorker();
                return true;
            }
            return false;
        }
    }

    // ---- minimal actors

    private void makeReady(Member member) {
        // Without a spare, the carrier of this turn takes the only ready actor, after the turn or if the handler
        // blocks.
        boolean hasCarrier = isInTurn() && ready.isEmpty();
        ready.add(member);
        if (turns == Turns.SPARE) {
            ensureSpare();
        } else if (!hasCarrier) {
            wakeOne();
        }
    }

    private static boolean isInTurn() {
        Thread current = Thread.currentThread();
        return current instanceof Carrier || current.getUncaughtExceptionHandler() instanceof Worker;
    }

    private void ensureSpare() {
        if (!spareIsComing.get() && spareIsComing.compareAndSet(false, true)) {
            startWorker();
        }
    }

    private void startWorker() {
        threads.newThread(new Worker()).start();
    }

    private final class Worker implements Runnable, Thread.UncaughtExceptionHandler {

        @Override
        public void run() {
            Thread.currentThread().setUncaughtExceptionHandler(this);
            Member member = ready.poll();
            if (turns == Turns.SPARE) {
                spareIsComing.set(false); // before the check
                if (!ready.isEmpty()) {
                    ensureSpare();
                }
            }
            for (; member != null; member = ready.poll()) {
                member.turn();
            }
        }

        @Override
        public void uncaughtException(Thread thread, Throwable failure) {
            failure.printStackTrace();
        }
    }

    private final class Member implements Consumer<Long> {
        private final Consumer<Long> behavior;
        private final Queue<Long> mailbox = new ConcurrentLinkedQueue<>();
        private final AtomicInteger size = new AtomicInteger();

        Member(Consumer<Long> behavior) {
            this.behavior = behavior;
        }

        @Override
        public void accept(Long message) {
            mailbox.add(message);
            if (size.getAndIncrement() == 0) {
                makeReady(this);
            }
        }

        void turn() {
            int handled = 0;
            for (int left = size.get(); handled < left; handled++) {
                behavior.accept(mailbox.remove());
            }
            if (size.addAndGet(-handled) != 0) {
                makeReady(this);
            }
        }
    }
}
