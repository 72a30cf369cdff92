package io.fibry.bench.peers;

import com.softwaremill.jox.Channel;
import com.softwaremill.jox.ChannelDone;

/**
 * Jox channels. Jox has no actors with an unbounded mailbox. An actor is therefore implemented as its users would: a
 * virtual thread that receives from an unbounded channel.
 */
@SuppressWarnings("unchecked")
final class Jox extends ThreadPerActor {

    @Override
    Object mailbox() {
        return Channel.newUnlimitedChannel();
    }

    @Override
    void receive(Object mailbox, Receiver behavior) throws InterruptedException {
        var channel = (Channel<Object>) mailbox;
        for (Object message = channel.receiveOrClosed();
                !(message instanceof ChannelDone);
                message = channel.receiveOrClosed()) {
            behavior.accept(message);
        }
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
}
