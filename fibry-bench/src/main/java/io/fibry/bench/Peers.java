package io.fibry.bench;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import io.fibry.ThreadStrategy;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** The libraries that are compared, by the names of the command line. */
enum Peers {
    /** This library, actors on virtual threads. */
    FIBRY {
        @Override
        Peer open() {
            return new Ours(ThreadStrategy.virtual());
        }
    },
    /** This library, actors on platform threads. */
    FIBRY_THREADS {
        @Override
        Peer open() {
            return new Ours(ThreadStrategy.platform());
        }
    },
    /** The library of the article, release 2.4.1, actors on fibers. */
    FIBRY_2_4_1 {
        @Override
        Peer open() {
            return new Fibry241();
        }
    },
    /** Pekko typed. */
    PEKKO {
        @Override
        Peer open() {
            return new Pekko();
        }
    };

    abstract Peer open();

    @SuppressWarnings("unchecked")
    private record Ours(ThreadStrategy strategy) implements Peer {
        @Override
        public Object actor(Consumer<Object> behavior) {
            return ActorSystem.anonymous().strategy(strategy).newActor(behavior);
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
        public Object ask(Object actor, Object message) {
            try {
                return ((ReplyActor<Object, Object>) actor).ask(message).get();
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private record Fibry241() implements Peer {
        private static eu.lucaventuri.fibry.ActorSystem.NamedActorCreator anonymous() {
            return eu.lucaventuri.fibry.ActorSystem.anonymous();
        }

        @Override
        public Object actor(Consumer<Object> behavior) {
            return anonymous()
                    .strategy(eu.lucaventuri.fibry.CreationStrategy.FIBER)
                    .newActor(behavior);
        }

        @Override
        public Object replyActor(UnaryOperator<Object> behavior) {
            return anonymous()
                    .strategy(eu.lucaventuri.fibry.CreationStrategy.FIBER)
                    .newActorWithReturn((Function<Object, Object>) behavior);
        }

        @Override
        public void tell(Object actor, Object message) {
            ((eu.lucaventuri.fibry.Actor<Object, ?, ?>) actor).sendMessage(message);
        }

        @Override
        public Object ask(Object actor, Object message) {
            try {
                return ((eu.lucaventuri.fibry.Actor<Object, Object, ?>) actor)
                        .sendMessageReturn(message)
                        .get();
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
