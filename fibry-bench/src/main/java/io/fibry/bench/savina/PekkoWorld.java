package io.fibry.bench.savina;

import com.typesafe.config.ConfigFactory;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * Pekko typed, tuned for many short messages on few cores: as many threads as cores, at least 8 of them by default, and
 * 64 messages in a turn instead of 5. The mailbox of typed actors is already the one for a single consumer. An actor is
 * a child of its creator, and the first one is a child of the guardian.
 */
final class PekkoWorld extends World {

    private static final String CONFIG = """
        pekko.loglevel = OFF
        pekko.log-dead-letters = off
        pekko.daemonic = on
        pekko.jvm-exit-on-fatal-error = off
        pekko.actor.default-dispatcher {
          throughput = 64
          fork-join-executor {
            parallelism-min = 1
            parallelism-factor = 1.0
            parallelism-max = 64
          }
        }
        """;

    private record Begin(SavinaActor main) {}

    private record Clear(CompletableFuture<Void> done) {}

    private final ActorSystem<Object> system = ActorSystem.create(
            Behaviors.setup(context -> new Guardian(context, this).behavior()),
            "savina",
            ConfigFactory.parseString(CONFIG).withFallback(ConfigFactory.load()));

    @Override
    protected void begin(SavinaActor main) {
        system.tell(new Begin(main));
    }

    @Override
    public void clear() {
        var done = new CompletableFuture<Void>();
        system.tell(new Clear(done));
        done.join();
    }

    /** Does not wait: occasionally a thread of the pool spins, and the system does not end. Its threads are daemons. */
    @Override
    public void close() {
        system.terminate();
    }

    /** Creates the first actor of a run, and ends it with all its children. */
    private static final class Guardian {

        private final ActorContext<Object> context;
        private final PekkoWorld world;
        private @Nullable ActorRef<Object> main;
        private @Nullable CompletableFuture<Void> cleared;

        Guardian(ActorContext<Object> context, PekkoWorld world) {
            this.context = context;
            this.world = world;
        }

        Behavior<Object> behavior() {
            return Behaviors.receive(Object.class)
                    .onMessage(Begin.class, begin -> {
                        main = new PekkoCell(world, begin.main()).start(context);
                        main.tell(SavinaActor.START);
                        return Behaviors.same();
                    })
                    .onMessage(Clear.class, clear -> {
                        cleared = clear.done();
                        context.watch(main);
                        context.stop(main);
                        return Behaviors.same();
                    })
                    .onSignal(Terminated.class, ended -> {
                        java.util.Objects.requireNonNull(cleared).complete(null);
                        return Behaviors.same();
                    })
                    .build();
        }
    }
}
