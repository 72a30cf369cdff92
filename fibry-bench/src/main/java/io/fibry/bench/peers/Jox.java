package io.fibry.bench.peers;

import com.softwaremill.jox.Channel;
import com.softwaremill.jox.ChannelDone;
import java.util.function.Consumer;

/**
 * Jox channels. Jox has no actors whose mailbox has no bound, so an actor is what its users write: a virtual thread that
 * receives from a channel without bound.
 */
@SuppressWarnings("unchecked")
final class Jox extends RepliesByFuture {

    private static Object start(Thread.Builder thread, Consumer<Object> behavior) {
        Channel<Object> mailbox = Channel.newUnlimitedChannel();
        thread.start(() -> receive(mailbox, behavior));
        return mailbox;
    }

    private static void receive(Channel<Object> mailbox, Consumer<Object> behavior) {
        try {
            while (true) {
                Object message = mailbox.receiveOrClosed();
                if (message instanceof ChannelDone) {
                    return;
                }
                behavior.accept(message);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Object actor(Consumer<Object> behavior) {
        return start(Thread.ofVirtual(), behavior);
    }

    @Override
    public Object namedActor(String name, Consumer<Object> behavior) {
        return start(Thread.ofVirtual().name(name), behavior);
    }

    @Override
    public void tell(Object actor, Object message) {
        try {
            ((Channel<Object>) actor).send(message);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void stop(Object actor) {
        ((Channel<Object>) actor).done();
    }

    @Override
    public void close() {
        // nothing is shared
    }
}
