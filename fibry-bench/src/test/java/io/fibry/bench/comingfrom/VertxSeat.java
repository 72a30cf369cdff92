package io.fibry.bench.comingfrom;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/** The program of docs/coming-from-vertx.md. */
public class VertxSeat extends VerticleBase {
    private final Queue<Message<String>> waiting = new ArrayDeque<>();
    private boolean taken;

    @Override
    public Future<?> start() {
        return vertx.eventBus().<String>consumer("seat", this::hold).completion();
    }

    private void hold(Message<String> hold) {
        waiting.add(hold);
        next();
    }

    private void expire(long timer) {
        taken = false;
        next();
    }

    private void next() {
        if (!taken && !waiting.isEmpty()) {
            Message<String> next = waiting.remove();
            taken = true;
            vertx.setTimer(100, this::expire);
            next.reply(next.body() + " has the seat");
        }
    }

    public static void main(String[] args) {
        Vertx vertx = Vertx.vertx();
        vertx.deployVerticle(new VertxSeat()).await();
        var options = new DeliveryOptions().setSendTimeout(10_000);
        for (String guest : List.of("Ann", "Bob")) {
            Message<String> reply =
                    vertx.eventBus().<String>request("seat", guest, options).await();
            System.out.println(reply.body());
        }
        vertx.close().await();
    }
}
