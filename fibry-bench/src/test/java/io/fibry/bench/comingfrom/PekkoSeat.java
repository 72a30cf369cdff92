package io.fibry.bench.comingfrom;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;

/** The program of docs/coming-from-pekko.md. */
public class PekkoSeat extends AbstractBehavior<PekkoSeat.Message> {
    sealed interface Message permits Hold, Expired {}

    record Hold(String guest, ActorRef<String> replyTo) implements Message {}

    record Expired() implements Message {}

    private final TimerScheduler<Message> timers;
    private final Queue<Hold> waiting = new ArrayDeque<>();
    private boolean taken;

    PekkoSeat(ActorContext<Message> context, TimerScheduler<Message> timers) {
        super(context);
        this.timers = timers;
    }

    @Override
    public Receive<Message> createReceive() {
        return newReceiveBuilder()
                .onMessage(Hold.class, this::hold)
                .onMessage(Expired.class, this::expire)
                .build();
    }

    private Behavior<Message> hold(Hold hold) {
        waiting.add(hold);
        return next();
    }

    private Behavior<Message> expire(Expired expired) {
        taken = false;
        return next();
    }

    private Behavior<Message> next() {
        if (!taken && !waiting.isEmpty()) {
            Hold next = waiting.remove();
            taken = true;
            timers.startSingleTimer(new Expired(), Duration.ofMillis(100));
            next.replyTo().tell(next.guest() + " has the seat");
        }
        return this;
    }

    public static void main(String[] args) {
        ActorSystem<Message> seat = ActorSystem.create(
                Behaviors.setup(context -> Behaviors.withTimers(timers -> new PekkoSeat(context, timers))), "seat");
        for (String guest : List.of("Ann", "Bob")) {
            CompletionStage<String> reply =
                    AskPattern.ask(seat, replyTo -> new Hold(guest, replyTo), Duration.ofSeconds(10), seat.scheduler());
            System.out.println(reply.toCompletableFuture().join());
        }
        seat.terminate();
    }
}
