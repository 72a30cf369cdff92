package io.fibry.bench.peers;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.Sink;
import io.fibry.ThreadStrategy;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * This library, with anonymous actors of the default system.
 *
 * @param capacity the mailbox capacity of actors that do not reply, beyond which messages are refused; 0 for no limit
 */
@SuppressWarnings("unchecked")
record Fibry(ThreadStrategy strategy, int capacity) implements Peer {

    Fibry(ThreadStrategy strategy) {
        this(strategy, 0);
    }

    @Override
    public Object actor(Receiver behavior) {
        ActorBuilder<Object> builder = ActorSystem.anonymous().strategy(strategy);
        return (capacity == 0 ? builder : builder.bounded(capacity, Overflow.FAIL)).newActor(behavior);
    }

    @Override
    public Object namedActor(String name, Receiver behavior) {
        return ActorSystem.named(name).strategy(strategy).newActor(behavior);
    }

    @Override
    public Object periodicActor(Duration period, Supplier<Receiver> behavior) {
        return ActorSystem.anonymous().strategy(strategy).newActorFrom(context -> {
            Receiver receiver = behavior.get();
            context.every(period, "tick");
            return receiver;
        });
    }

    @Override
    public Object replyActor(Replier behavior) {
        return ActorSystem.anonymous().strategy(strategy).newActorWithReturn(behavior);
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
    public void askThen(Object replyActor, Object message, Consumer<Object> whatThen) {
        var unused = ((ReplyActor<Object, Object>) replyActor).ask(message).thenAccept(whatThen);
    }

    @Override
    public Object sink() {
        return ActorSystem.anonymous().strategy(strategy).newSink("state");
    }

    @Override
    public void execute(Object sink, Runnable code) {
        ((Sink<String>) sink).execute(code);
    }

    /** Returns a service whose bound is the capacity of its mailboxes. */
    @Override
    public Service service(Resource resource, int room, Service.Client client) {
        return new ActorService(this, capacity > 0, resource, client);
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
