package io.fibry.bench.peers;

import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/**
 * Pekko typed with its default dispatcher, a pool of about as many threads as there are cores. Its actors must not block, so
 * its asker gets the answers as messages. Each ask has a timeout: Pekko has no other.
 */
final class Pekko implements Peer {

    private record Question(Object message, ActorRef<Object> replyTo) {}

    private static final Object STOP = new Object();
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final ActorSystem<Object> system = ActorSystem.create(
            Behaviors.empty(),
            "bench",
            ConfigFactory.parseString("pekko.loglevel = OFF\npekko.daemonic = on\npekko.jvm-exit-on-fatal-error = off")
                    .withFallback(ConfigFactory.load()));
    private final AtomicLong names = new AtomicLong();

    private ActorRef<Object> spawn(Behavior<Object> behavior) {
        return system.systemActorOf(behavior, "a" + names.incrementAndGet(), Props.empty());
    }

    private static Behavior<Object> calling(Consumer<Object> behavior) {
        return Behaviors.receiveMessage(message -> {
            if (message == STOP) {
                return Behaviors.stopped();
            }
            behavior.accept(message);
            return Behaviors.same();
        });
    }

    @Override
    public Object actor(Consumer<Object> behavior) {
        return spawn(calling(behavior));
    }

    @Override
    public Object namedActor(String name, Consumer<Object> behavior) {
        return system.systemActorOf(calling(behavior), name, Props.empty());
    }

    @Override
    public Object replyActor(UnaryOperator<Object> behavior) {
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
    @SuppressWarnings("unchecked")
    public Object ask(Object replyActor, Object message) {
        return AskPattern.<Object, Object>ask(
                        (ActorRef<Object>) replyActor,
                        replyTo -> new Question(message, replyTo),
                        TIMEOUT,
                        system.scheduler())
                .toCompletableFuture()
                .join();
    }

    @Override
    public Object asker(IntFunction<Object> target, int questions, boolean inTime, LongConsumer sum) {
        return spawn(Behaviors.setup(context -> new Asker(context, target, questions, sum).asking()));
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

    /** Asks the next question when the answer to the one before it is in its mailbox. */
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
