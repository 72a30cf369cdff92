package io.fibry.bench.peers;

import java.util.function.BooleanSupplier;

/** The behavior of {@link Peer#sleeper} for a peer whose handlers may block. */
final class Sleeper implements Receiver {

    private final Peer peer;
    private final int millis;
    private final BooleanSupplier goesOn;
    private Object self = this; // the actor, before it receives the first message

    private Sleeper(Peer peer, int millis, BooleanSupplier goesOn) {
        this.peer = peer;
        this.millis = millis;
        this.goesOn = goesOn;
    }

    static Object create(Peer peer, int millis, BooleanSupplier goesOn) {
        var sleeper = new Sleeper(peer, millis, goesOn);
        sleeper.self = peer.actor(sleeper);
        return sleeper.self;
    }

    @Override
    public void accept(Object message) {
        try {
            Thread.sleep((Integer) message);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (goesOn.getAsBoolean()) {
            peer.tell(self, millis);
        }
    }
}
