package io.fibry.bench.hunt;

import io.fibry.Actor;
import io.fibry.ActorRef;
import io.fibry.ReplyActor;
import io.fibry.Supervisor;
import io.fibry.entity.LocalEntities;
import org.jspecify.annotations.Nullable;

/**
 * A started actor.
 *
 * @param actor stops, and ends
 * @param messages the recipient of messages; null for entities and supervisors, which have an actor per child
 */
record Handle(
        int index,
        Kind kind,
        Actor<?> actor,
        @Nullable Actor<Message> messages,
        @Nullable LocalEntities<Integer, Message, Object> entities,
        @Nullable Supervisor supervisor) {

    static Handle of(int index, Kind kind, Actor<Message> actor) {
        return new Handle(index, kind, actor, actor, null, null);
    }

    /** Returns the name of one of the two children of a supervisor. */
    static String child(int index, int number) {
        return "a" + index + (number % 2 == 0 ? ".first" : ".second");
    }

    /** Returns the recipient of a message with this number; null if it is not alive. */
    @Nullable
    @SuppressWarnings("unchecked") // all actors of a program take these messages
    Actor<Message> messages(int number) {
        if (supervisor == null) {
            return messages;
        }
        return (Actor<Message>) supervisor.child(child(index, number)).orElse(null);
    }

    /** Returns the recipient of asks; null if the actor does not reply. */
    @Nullable
    @SuppressWarnings("unchecked") // as above
    ActorRef<Message, Object> asked(int number) {
        if (entities != null) {
            return entities.ref(number % 4);
        }
        return messages(number) instanceof ReplyActor<?, ?> replying ? (ReplyActor<Message, Object>) replying : null;
    }
}
