package io.fibry.bench.hunt;

import io.fibry.Actor;
import io.fibry.StopMode;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Runs the steps of one strand of a {@link Program}. */
final class Strand implements Runnable {

    /** The time to wait for the strand that starts the actor. */
    private static final Duration SPIN = Duration.ofMillis(5);

    private static final int SPINS_BETWEEN_YIELDS = 64;
    private static final int CAPACITY = 3;

    private final World world;
    private final int number;

    Strand(World world, int number) {
        this.world = world;
        this.number = number;
    }

    @Override
    public void run() {
        for (Step step : world.program.ofStrand(number)) {
            try {
                switch (step) {
                    case Step.Start start -> new Starter(world, start.actor()).start(start.kind());
                    case Step.Op op -> perform(op);
                    case Step.Option option -> {}
                }
            } catch (Exception e) {
                if (!world.isExpected(e)) {
                    world.unexpected("strand " + number + " at " + step, e);
                }
            }
        }
    }

    private void perform(Step.Op op) throws Exception {
        switch (op.verb()) {
            case FIND -> find(op);
            case EXPECT -> expect(op);
            case SLEEP -> Thread.sleep(Duration.ofNanos(100_000L * op.count()));
            case DUMP -> {
                String unused = world.system.dump().toString();
            }
            case CLOSE_SYSTEM -> {
                boolean unused = world.system.close(Duration.ofMillis(10L * op.count()));
            }
            default -> {
                Handle handle = world.handles.get(op.actor());
                if (handle != null) {
                    perform(op, handle);
                }
            }
        }
    }

    private void perform(Step.Op op, Handle handle) throws Exception {
        Actor<?> actor = handle.actor();
        switch (op.verb()) {
            case TELL_NEW_KEYS -> newKeys(op, handle);
            case SUBSCRIBE -> subscribe(handle);
            case STOP -> stop(handle, StopMode.DRAIN);
            case DISCARD -> stop(handle, StopMode.DISCARD);
            case INTERRUPT -> stop(handle, StopMode.INTERRUPT);
            case STOP_BY_DEADLINE -> ended(handle, actor.stop(Duration.ofMillis(op.count())));
            case CLOSE -> close(op, handle);
            case WAIT_FOR_EXIT -> {
                boolean unused = actor.waitForExit(Duration.ofMillis(op.count()));
            }
            case END -> end(op, handle);
            case START_AGAIN -> startAgain(handle);
            default -> {
                for (int i = 0; i < op.count(); i++) {
                    world.send(op.verb(), handle, world.message(op.act(), op.actor(), number));
                }
            }
        }
    }

    // ---- names

    private void find(Step.Op op) {
        long end = System.nanoTime() + SPIN.toNanos();
        for (int i = 1; System.nanoTime() - end < 0 && !world.system.isClosing(); i++) {
            Optional<Actor<Message>> found = world.system.find(world.name(op.actor()));
            if (found.isPresent()) {
                if (world.program.isSingle(op.actor())) {
                    world.send(
                            Verb.TELL,
                            Handle.of(op.actor(), Kind.ACTOR, found.get()),
                            world.message(op.act(), op.actor(), number));
                }
                return;
            }
            if (i % SPINS_BETWEEN_YIELDS == 0) {
                Thread.yield(); // the starter may need this carrier thread
            }
        }
    }

    private void expect(Step.Op op) {
        if (!world.program.isSingle(op.actor())) {
            return;
        }
        Actor<Message> address = world.system.findOrExpect(world.name(op.actor()), CAPACITY);
        world.send(Verb.TELL, Handle.of(op.actor(), Kind.ACTOR, address), world.message(op.act(), op.actor(), number));
    }

    private void startAgain(Handle handle) throws Exception {
        if (!handle.actor().waitForExit(World.SHORT)) {
            return;
        }
        if (world.startedAgain.add(handle.index())) {
            new Starter(world, handle.index()).start(handle.kind());
        }
    }

    // ---- features

    private void newKeys(Step.Op op, Handle handle) {
        var entities = handle.entities();
        if (entities == null) {
            return;
        }
        for (int i = 0; i < op.count(); i++) {
            Message message = world.message(op.act(), op.actor(), number);
            int key = 10 + message.number;
            world.send(message, "a new key of a" + op.actor(), () -> {
                entities.ref(key).tell(message);
                return true;
            });
        }
    }

    private void subscribe(Handle handle) {
        if (handle.messages() instanceof io.fibry.topic.LocalTopic<Message> topic) {
            for (int i = 0; i < world.handles.length(); i++) {
                Handle other = world.handles.get(i);
                Actor<Message> subscriber = other == null ? null : other.messages();
                if (subscriber != null && subscriber != topic) {
                    topic.subscribe(subscriber);
                }
            }
        }
    }

    private void end(Step.Op op, Handle handle) {
        if (handle.entities() != null) {
            handle.entities().end(op.count() % 4);
        }
        if (handle.supervisor() != null) {
            CompletableFuture<Boolean> unused = handle.supervisor().stop(Handle.child(handle.index(), op.count()));
        }
    }

    // ---- ends

    private void stop(Handle handle, StopMode mode) {
        handle.actor().stop(mode);
        ended(handle, handle.actor().exit());
    }

    private void ended(Handle handle, CompletableFuture<io.fibry.ActorExit> exit) {
        world.ledger.ends.add(new Ledger.End("a" + handle.index() + ", which was stopped,", exit, true));
    }

    private void close(Step.Op op, Handle handle) {
        long start = System.nanoTime();
        Duration deadline = Duration.ofMillis(op.count());
        boolean unused = handle.actor().close(deadline);
        world.checkClose("a" + handle.index(), deadline, start);
    }
}
