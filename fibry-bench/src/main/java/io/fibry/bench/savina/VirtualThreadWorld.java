package io.fibry.bench.savina;

import java.util.concurrent.LinkedBlockingQueue;

/** No library: an actor is a virtual thread with a queue of the JDK, which is the reference to it. */
class VirtualThreadWorld extends World {

    @Override
    protected final void begin(SavinaActor main) {
        start(main).add(SavinaActor.START);
    }

    private LinkedBlockingQueue<Object> start(SavinaActor actor) {
        var cell = new ThreadCell(this, actor);
        start(cell);
        return cell.queue;
    }

    /** Starts the thread of an actor. */
    void start(Runnable loop) {
        Thread.startVirtualThread(loop);
    }

    /** The workloads stop their actors, so the threads end. */
    @Override
    public void clear() {
        // see above
    }

    private static final class ThreadCell extends OwnStash implements Runnable {

        private final LinkedBlockingQueue<Object> queue = new LinkedBlockingQueue<>();

        ThreadCell(VirtualThreadWorld world, SavinaActor actor) {
            super(world, actor);
        }

        @Override
        public void run() {
            try {
                while (!isStopped()) {
                    Object message = unstashed();
                    handle(message != null ? message : queue.take());
                }
            } catch (InterruptedException e) {
                world.fail(e);
            }
        }

        @Override
        protected Object self() {
            return queue;
        }

        @Override
        protected Object spawn(SavinaActor other) {
            return ((VirtualThreadWorld) world).start(other);
        }

        @Override
        @SuppressWarnings("unchecked")
        protected void tell(Object to, Object message) {
            ((LinkedBlockingQueue<Object>) to).add(message);
        }
    }
}
