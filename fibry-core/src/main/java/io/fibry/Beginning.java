package io.fibry;

/** The first step of an actor that makes its behavior: until then, its maker has the consumer's role. */
final class Beginning {

    private Beginning() {}

    /** Has the actor make its behavior, and lets it go. */
    static void of(ActorCell<?> actor) {
        try {
            actor.renew();
        } catch (Throwable t) {
            actor.fail(t);
            actor.kind.system().freeName(actor); // the maker may try again before this one has ended
            throw t;
        } finally {
            letGo(actor);
        }
    }

    /** Gives up the consumer's role, or passes it on if there is something to do. */
    static void letGo(ActorCell<?> actor) {
        if (!actor.becomeIdle()) {
            actor.ready();
        }
    }
}
