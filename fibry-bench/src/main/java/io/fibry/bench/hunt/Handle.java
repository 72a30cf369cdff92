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
 * @param messages takes the messages; null for entities and supervisors, which have one actor for each of their children
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

    /** The name of a child of a supervisor, which has two. */
    static String child(int index, int number) {
        return "a" + index + (number % 2 == 0 ? ".first" : ".second");
    }

    /** The actor that gets a message with this number; null if it does not live. */
    @Nullable
    @SuppressWarnings("unchecked") // all actors of a program take these messages
    Actor<Message> messages(int number) {
        if (supervisor == null) {
            return messages;
        }
        return (Actor<Message>) supervisor.child(child(index, number)).orElse(null);
    }

    /** The address for asks; null if the actor does not reply. */
    @Nullable
    @SuppressWarnings("unchecked") // as above
    ActorRef<Message, Object> asked(int number) {
        if (entities != null) {
            return entities.ref(number % 4);
        }
        return messages(number) instanceof ReplyActor<?, ?> replying ? (ReplyActor<Message, Object>) replying : null;
    }
}
