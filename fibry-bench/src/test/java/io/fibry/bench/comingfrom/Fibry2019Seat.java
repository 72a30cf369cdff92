package io.fibry.bench.comingfrom;

import eu.lucaventuri.fibry.Actor;
import eu.lucaventuri.fibry.ActorSystem;
import eu.lucaventuri.fibry.CreationStrategy;
import eu.lucaventuri.fibry.PartialActor;
import eu.lucaventuri.fibry.Stereotypes;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The program of docs/fibry-2019.md. */
public class Fibry2019Seat {
    sealed interface Message permits Hold, Expired {}

    record Hold(String guest, CompletableFuture<String> reply) implements Message {}

    record Expired() implements Message {}

    private final Queue<Hold> waiting = new ArrayDeque<>();
    private boolean taken;

    void handle(Message message, PartialActor<Message, Void> self) {
        switch (message) {
            case Hold hold -> waiting.add(hold);
            case Expired expired -> taken = false;
        }
        if (!taken && !waiting.isEmpty()) {
            Hold next = waiting.remove();
            taken = true;
            Stereotypes.fibers().runOnceSilent(() -> {
                Thread.sleep(100);
                self.sendMessage(new Expired());
            });
            next.reply().complete(next.guest() + " has the seat");
        }
    }

    public static void main(String[] args) throws Exception {
        Actor<Message, Void, Void> seat =
                ActorSystem.anonymous().strategy(CreationStrategy.FIBER).newActor(new Fibry2019Seat()::handle);
        for (String guest : List.of("Ann", "Bob")) {
            var reply = new CompletableFuture<String>();
            seat.sendMessage(new Hold(guest, reply));
            System.out.println(reply.get(10, TimeUnit.SECONDS));
        }
        seat.askExit();
    }
}
