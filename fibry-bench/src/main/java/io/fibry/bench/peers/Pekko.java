package io.fibry.bench.peers;

import com.typesafe.config.ConfigFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.jspecify.annotations.Nullable;

/**
 * Pekko typed with its default dispatcher, a pool of about as many threads as there are cores. Its actors must not
 * block, so its asker receives the replies as messages. Each ask has a timeout, which Pekko requires.
 *
 * <p>All actors are children without names: of the actor that creates them, or of the user guardian, which runs code
 * for callers that are not actors.
 */
final class Pekko implements Peer {

    private record Question(Object message, ActorRef<Object> replyTo) {}

    static final Object STOP = new Object();

    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final String CONFIG = """
        pekko.loglevel = OFF
        pekko.log-dead-letters = off
        pekko.daemonic = on
        pekko.jvm-exit-on-fatal-error = off
        """;

    /** The actor that handles a message on this thread, if it may create other actors. */
    private static final ThreadLocal<ActorContext<Object>> PARENT = new ThreadLocal<>();

    private final ActorSystem<Object> system = ActorSystem.create(
            making(code -> ((Runnable) code).run()),
            "bench",
            ConfigFactory.parseString(CONFIG).withFallback(ConfigFactory.load()));
    private volatile @Nullable Shared last;

    /** The behavior of the latest actor, which the next one often shares. Weak references keep it collectable. */
    private record Shared(WeakReference<Receiver> code, WeakReference<Behavior<Object>> behavior) {

        @Nullable
        Behavior<Object> of(Receiver wanted) {
            return code.refersTo(wanted) ? behavior.get() : null;
        }
    }

    static Behavior<Object> calling(Receiver behavior) {
        return Behaviors.receiveMessage(message -> {
            if (message == STOP) {
                return Behaviors.stopped();
            }
            behavior.accept(message);
            return Behaviors.same();
        });
    }

    private static Behavior<Object> making(Receiver behavior) {
        return Behaviors.receive((context, message) -> {
            if (message == STOP) {
                return Behaviors.stopped();
            }
            PARENT.set(context);
            try {
                behavior.accept(message);
            } finally {
                PARENT.remove();
            }
            return Behaviors.same();
        });
    }

    @Override
    public void inside(Runnable code) {
        CompletableFuture.runAsync(code, system::tell).join();
    }

    /** Creates a child of the actor that runs on this thread, or of the guardian, which requires a wait. */
    private ActorRef<Object> child(Function<ActorContext<Object>, ActorRef<Object>> make) {
        ActorContext<Object> parent = PARENT.get();
        return parent != null
                ? make.apply(parent)
                : CompletableFuture.supplyAsync(() -> child(make), system::tell).join();
    }

    private ActorRef<Object> spawn(Behavior<Object> behavior) {
        return child(parent -> parent.spawnAnonymous(behavior));
    }

    @Override
    public Object actor(Receiver behavior) {
        Shared before = last;
        Behavior<Object> shared = before == null ? null : before.of(behavior);
        if (shared == null) {
            shared = calling(behavior);
            last = new Shared(new WeakReference<>(behavior), new WeakReference<>(shared));
        }
        return spawn(shared);
    }

    @Override
    public Object parent(Receiver behavior) {
        return spawn(making(behavior));
    }

    @Override
    public Object namedActor(String name, Receiver behavior) {
        return child(parent -> parent.spawn(calling(behavior), name));
    }

    @Override
    public Object periodicActor(Duration period, Supplier<Receiver> behavior) {
        return spawn(Behaviors.withTimers(timers -> {
            Receiver receiver = behavior.get();
            timers.startTimerAtFixedRate("tick", period);
            return calling(receiver);
        }));
    }

    @Override
    public Object replyActor(Replier behavior) {
        return spawn(calling(message -> {
            var question = (Question) message;
            question.replyTo().tell(behavior.apply(question.message()));
        }));
    }

    @Override
    @SuppressWarnings("unchecked")
    public void tell(Object actor, Object message) {
        ((ActorRef<Object>) actor).tell(message);
    }

    @Override
    public Object ask(Object replyActor, Object message) {
        return reply(replyActor, message).toCompletableFuture().join();
    }

    @Override
    public void askThen(Object replyActor, Object message, Consumer<Object> whatThen) {
        var unused = reply(replyActor, message).thenAccept(whatThen);
    }

    @SuppressWarnings("unchecked")
    private CompletionStage<Object> reply(Object replyActor, Object message) {
        return AskPattern.ask(
                (ActorRef<Object>) replyActor, replyTo -> new Question(message, replyTo), TIMEOUT, system.scheduler());
    }

    @Override
    public Object asker(IntFunction<Object> target, int questions, boolean inTime, LongConsumer sum) {
        return spawn(Behaviors.setup(context -> new Asker(context, target, questions, sum).asking()));
    }

    @Override
    public Service service(Resource resource, int room, Service.Client client) {
        return new PekkoService(spawn(PekkoService.front(resource, room, client)));
    }

    @Override
    public void stop(Object actor) {
        tell(actor, STOP);
    }

    @Override
    public void close() {
        system.terminate();
        system.getWhenTerminated().toCompletableFuture().join();
    }

    /** Asks the next question when the reply to the previous one is in its mailbox. */
    private static final class Asker {
        private record Answer(Integer number) {}

        private final ActorContext<Object> context;
        private final IntFunction<Object> target;
        private final int questions;
        private final LongConsumer sum;
        private int asked;
        private long soFar;

        Asker(ActorContext<Object> context, IntFunction<Object> target, int questions, LongConsumer sum) {
            this.context = context;
            this.target = target;
            this.questions = questions;
            this.sum = sum;
        }

        Behavior<Object> asking() {
            return calling(message -> {
                if (message instanceof Answer answer) {
                    soFar += answer.number();
                } else {
                    asked = 0;
                    soFar = 0;
                }
                if (asked < questions) {
                    askNext();
                } else {
                    sum.accept(soFar);
                }
            });
        }

        @SuppressWarnings("unchecked")
        private void askNext() {
            Integer question = asked & 1023;
            context.ask(
                    Object.class,
                    (ActorRef<Object>) target.apply(asked++),
                    TIMEOUT,
                    replyTo -> new Question(question, replyTo),
                    (answer, failure) -> {
                        if (failure != null) {
                            throw new IllegalStateException(failure);
                        }
                        return new Answer((Integer) answer);
                    });
        }
    }
}
