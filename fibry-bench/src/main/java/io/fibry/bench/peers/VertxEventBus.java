package io.fibry.bench.peers;

import io.vertx.core.AsyncResult;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageCodec;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The event bus of Vert.x. An actor is a verticle on virtual threads with a consumer at its own address, so its handler
 * may block. A message is passed as the same object.
 */
final class VertxEventBus implements Peer {

    private static final DeliveryOptions OPTIONS =
            new DeliveryOptions().setCodecName(SameObject.NAME).setLocalOnly(true);

    private final Vertx vertx = Vertx.vertx();
    private final AtomicLong made = new AtomicLong();

    private record Deployed(String address, String id) {}

    VertxEventBus() {
        vertx.eventBus().registerCodec(new SameObject());
    }

    private Deployed deploy(String address, Handler<Message<Object>> handler) {
        var verticle = new VerticleBase() {
            @Override
            public Future<?> start() {
                return vertx.eventBus().consumer(address, handler).completion();
            }
        };
        var options = new DeploymentOptions().setThreadingModel(ThreadingModel.VIRTUAL_THREAD);
        return new Deployed(address, join(vertx.deployVerticle(verticle, options)));
    }

    private static <T> T join(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }

    private String newAddress() {
        return "actor-" + made.incrementAndGet();
    }

    @Override
    public Object actor(Receiver behavior) {
        return namedActor(newAddress(), behavior);
    }

    @Override
    public Object namedActor(String name, Receiver behavior) {
        return deploy(name, message -> behavior.accept(message.body()));
    }

    @Override
    public Object replyActor(Replier behavior) {
        return deploy(newAddress(), message -> message.reply(behavior.apply(message.body()), OPTIONS));
    }

    @Override
    public void tell(Object actor, Object message) {
        vertx.eventBus().send(((Deployed) actor).address(), message, OPTIONS);
    }

    private Future<Message<Object>> request(Object replyActor, Object message) {
        return vertx.eventBus().request(((Deployed) replyActor).address(), message, OPTIONS);
    }

    /** Suspends the virtual thread of a verticle, and blocks any other thread. */
    @Override
    public Object ask(Object replyActor, Object message) {
        Future<Message<Object>> reply = request(replyActor, message);
        return (Vertx.currentContext() == null ? join(reply) : Future.await(reply)).body();
    }

    @Override
    public void askThen(Object replyActor, Object message, Consumer<Object> whatThen) {
        request(replyActor, message)
                .onComplete((AsyncResult<Message<Object>> reply) ->
                        whatThen.accept(reply.result().body()));
    }

    @Override
    public void stop(Object actor) {
        vertx.undeploy(((Deployed) actor).id());
    }

    @Override
    public void close() {
        join(vertx.close());
    }

    /** Passes a message of the same JVM on as it is. */
    private static final class SameObject implements MessageCodec<Object, Object> {
        static final String NAME = "same";

        @Override
        public Object transform(Object message) {
            return message;
        }

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public byte systemCodecID() {
            return -1; // as its documentation requires of a program's codec
        }

        @Override
        public void encodeToWire(Buffer buffer, Object message) {
            throw new UnsupportedOperationException("no message leaves this JVM");
        }

        @Override
        public Object decodeFromWire(int position, Buffer buffer) {
            throw new UnsupportedOperationException("no message leaves this JVM");
        }
    }
}
