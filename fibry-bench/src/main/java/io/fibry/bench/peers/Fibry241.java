package io.fibry.bench.peers;

import eu.lucaventuri.fibry.Actor;
import eu.lucaventuri.fibry.ActorSystem;
import eu.lucaventuri.fibry.CreationStrategy;
import eu.lucaventuri.fibry.SinkActor;
import eu.lucaventuri.fibry.SinkActorSingleTask;
import eu.lucaventuri.fibry.Stereotypes;
import java.util.function.Function;

/**
 * The library of the article, release 2.4.1, on fibers: each actor is a virtual thread that polls its queue. Its
 * threads do not keep the JVM alive, so a program with only such actors ends with its main thread.
 */
@SuppressWarnings("unchecked")
record Fibry241() implements Peer {

    @Override
    public Object actor(Receiver behavior) {
        return ActorSystem.anonymous().strategy(CreationStrategy.FIBER).newActor(behavior);
    }

    @Override
    public Object namedActor(String name, Receiver behavior) {
        return ActorSystem.named(name).strategy(CreationStrategy.FIBER).newActor(behavior);
    }

    @Override
    public Object replyActor(Replier behavior) {
        return ActorSystem.anonymous().strategy(CreationStrategy.FIBER).newActorWithReturn((Function<Object, Object>)
                behavior);
    }

    @Override
    public void tell(Object actor, Object message) {
        ((Actor<Object, ?, ?>) actor).sendMessage(message);
    }

    @Override
    public Object ask(Object replyActor, Object message) {
        return Replies.get(((Actor<Object, Object, ?>) replyActor).sendMessageReturn(message));
    }

    @Override
    public Object askInTime(Object replyActor, Object message) {
        return Replies.getInTime(((Actor<Object, Object, ?>) replyActor).sendMessageReturn(message));
    }

    @Override
    public Object sink() {
        return Stereotypes.fibers().sink("state");
    }

    @Override
    public void execute(Object sink, Runnable code) {
        ((SinkActor<?>) sink).execAsync(code);
    }

    @Override
    public void stop(Object actor) {
        ((SinkActorSingleTask<?>) actor).askExit();
    }

    @Override
    public void close() {
        // nothing is shared
    }
}
