package io.fibry.bench.peers;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A peer without ask: its users put a future for the reply into the message. */
abstract class RepliesByFuture implements Peer {

    private record Question(Object message, CompletableFuture<Object> reply) {}

    @Override
    public final Object replyActor(Replier behavior) {
        return actor(message -> {
            var question = (Question) message;
            question.reply().complete(behavior.apply(question.message()));
        });
    }

    private CompletableFuture<Object> reply(Object replyActor, Object message) {
        var reply = new CompletableFuture<Object>();
        tell(replyActor, new Question(message, reply));
        return reply;
    }

    @Override
    public final Object ask(Object replyActor, Object message) {
        return Replies.get(reply(replyActor, message));
    }

    @Override
    public final Object askInTime(Object replyActor, Object message) {
        return Replies.getInTime(reply(replyActor, message));
    }

    @Override
    public final void askThen(Object replyActor, Object message, Consumer<Object> whatThen) {
        var unused = reply(replyActor, message).thenAccept(whatThen);
    }
}
