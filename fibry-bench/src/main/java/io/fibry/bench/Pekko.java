package io.fibry.bench;

import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Pekko typed, with its default dispatcher. */
final class Pekko implements Peer {

    private record Question(Object message, ActorRef<Object> replyTo) {}

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final ActorSystem<Object> system = ActorSystem.create(
            Behaviors.empty(),
            "bench",
            ConfigFactory.parseString("pekko.loglevel = OFF\npekko.daemonic = on")
                    .withFallback(ConfigFactory.load()));
    private final AtomicLong names = new AtomicLong();

    private ActorRef<Object> spawn(Behavior<Object> behavior) {
        return system.systemActorOf(behavior, "a" + names.incrementAndGet(), Props.empty());
    }

    @Override
    public Object actor(Consumer<Object> behavior) {
        return spawn(Behaviors.receiveMessage(message -> {
            behavior.accept(message);
            return Behaviors.same();
        }));
    }

    @Override
    public Object replyActor(UnaryOperator<Object> behavior) {
        return spawn(Behaviors.receiveMessage(message -> {
            var question = (Question) message;
            question.replyTo().tell(behavior.apply(question.message()));
            return Behaviors.same();
        }));
    }

    @Override
    @SuppressWarnings("unchecked")
    public void tell(Object actor, Object message) {
        ((ActorRef<Object>) actor).tell(message);
    }

    @Override
    @SuppressWarnings("unchecked")
    public Object ask(Object actor, Object message) {
        CompletableFuture<Object> answer = AskPattern.<Object, Object>ask(
                        (ActorRef<Object>) actor,
                        replyTo -> new Question(message, replyTo),
                        TIMEOUT,
                        system.scheduler())
                .toCompletableFuture();
        return answer.join();
    }
}
