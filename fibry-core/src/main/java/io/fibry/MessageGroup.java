package io.fibry;

import io.fibry.dispatch.StackRoom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one sender that are handled without another sender's message in between. They get into the mailbox in one step: into
 * that without a limit by one compare-and-set of a linked list, into another one under the lock of its room. So either all of
 * them are accepted, or none is.
 */
final class MessageGroup {

    private MessageGroup() {}

    static void send(ActorCell<?> actor, List<?> messages) {
        List<Envelope> group = new ArrayList<>(messages.size());
        for (Object message : List.copyOf(messages)) {
            group.add(actor.envelope(message, null));
        }
        if (group.isEmpty()) {
            return;
        }
        RejectedExecutionException refusal = trySend(actor, group);
        if (refusal != null) {
            actor.kind.system().counts().refused.add(group.size());
            throw refusal;
        }
    }

    private static @Nullable RejectedExecutionException trySend(ActorCell<?> actor, List<Envelope> group) {
        WaitingRoom room = actor.room();
        RejectedExecutionException refusal;
        if (room != null) {
            StackRoom.require(); // messages must not get into the room without their wake-up
            refusal = Admission.admitAll(actor, room, group);
        } else {
            refusal = offer(actor, group) ? null : actor.stopped();
        }
        boolean isFromBelow = refusal instanceof ActorStoppedException
                && !actor.discards() // a draining actor still accepts messages from its descendants
                && ChildMessages.accept(actor, actor.kind.system().currentActors(), group);
        return isFromBelow ? null : refusal;
    }

    private static boolean offer(ActorCell<?> actor, List<Envelope> group) {
        Envelope newest = group.getFirst();
        for (Envelope envelope : group.subList(1, group.size())) {
            envelope.next = newest;
            newest = envelope;
        }
        boolean accepted = actor.offerAll(newest, group.getFirst());
        if (!accepted) {
            group.forEach(envelope -> envelope.next = null); // they may go another way
        }
        return accepted;
    }
}
