package io.fibry.bench.peers;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import io.fibry.Sink;
import io.fibry.ThreadStrategy;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** This library, made as its users make actors: anonymous ones of the default system. */
@SuppressWarnings("unchecked")
record Fibry(ThreadStrategy strategy) implements Peer {

    @Override
    public Object actor(Consumer<Object> behavior) {
        return ActorSystem.anonymous().strategy(strategy).newActor(behavior);
    }

    @Override
    public Object namedActor(String name, Consumer<Object> behavior) {
        return ActorSystem.named(name).strategy(strategy).newActor(behavior);
    }

    @Override
    public Object replyActor(UnaryOperator<Object> behavior) {
        return ActorSystem.anonymous().strategy(strategy).newActorWithReturn((Function<Object, Object>) behavior);
    }

    @Override
    public void tell(Object actor, Object message) {
        ((Actor<Object>) actor).tell(message);
    }

    @Override
    public Object ask(Object replyActor, Object message) {
        return Replies.get(((ReplyActor<Object, Object>) replyActor).ask(message));
    }

    @Override
    public Object askInTime(Object replyActor, Object message) {
        return Replies.getInTime(((ReplyActor<Object, Object>) replyActor).ask(message));
    }

    @Override
    public Object sink() {
        return ActorSystem.anonymous().strategy(strategy).newSink("state");
    }

    @Override
    public void execute(Object sink, Runnable code) {
        ((Sink<String>) sink).execute(code);
    }

    @Override
    public void stop(Object actor) {
        ((Actor<Object>) actor).stop();
    }

    @Override
    public void close() {
        // nothing is shared
    }
}
