package io.fibry.kernel;

import io.fibry.dispatch.OutOfMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** The asks of an actor that a stop with discard leaves without a reply. */
final class WaitingAsks {

    private static final BiConsumer<Reply<?>, ActorCell<?>> REFUSE = WaitingAsks::refuse;
    private static final Function<ActorCell<?>, List<Reply<?>>> COLLECT = WaitingAsks::collect;

    /** Collects the asks among messages. Not a lambda, which may be linked while memory is exhausted. */
    private static final class Asks implements Consumer<Envelope> {
        private final List<Reply<?>> all = new ArrayList<>();

        @Override
        public void accept(Envelope envelope) {
            if (envelope.isAsk()) {
                all.add(Objects.requireNonNull(envelope.reply));
            }
        }
    }

    private WaitingAsks() {}

    /** Collects the asks during the stop: the current message may take long. Under the lock of the lifecycle. */
    static List<Reply<?>> of(ActorCell<?> actor) {
        return OutOfMemory.get(COLLECT, actor);
    }

    private static List<Reply<?>> collect(ActorCell<?> actor) {
        var asks = new Asks();
        actor.forEachWaiting(asks, actor.runner() != null);
        Lifecycle l = actor.lifecycle();
        DeferredReplies deferred = l.deferredIfAny();
        if (deferred != null) {
            deferred.addTo(asks.all);
        }
        ChildMessages messages = l.childMessagesIfAny();
        if (messages != null) {
            messages.forEach(asks);
        }
        if (l.bounded != null) {
            l.bounded.forEach(asks);
        }
        actor.forEachStashed(asks);
        return asks.all;
    }

    /** Makes these asks fail. Without the lock: code of users may run. */
    static void refuse(ActorCell<?> actor, List<Reply<?>> asks) {
        for (int i = 0; i < asks.size(); i++) {
            OutOfMemory.repeat(REFUSE, asks.get(i), actor);
        }
    }

    private static void refuse(Reply<?> ask, ActorCell<?> actor) {
        ask.completeExceptionally(actor.stopped());
    }
}
