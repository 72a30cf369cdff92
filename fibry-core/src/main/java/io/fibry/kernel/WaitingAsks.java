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

    private WaitingAsks() {}

    /** Collects the asks during the stop: the current message may take long. Under the lock of the lifecycle. */
    static List<Reply<?>> of(ActorCell<?> actor) {
        return OutOfMemory.get(COLLECT, actor);
    }

    private static List<Reply<?>> collect(ActorCell<?> actor) {
        var asks = new ArrayList<Reply<?>>();
        Consumer<Envelope> collect = envelope -> {
            if (envelope.isAsk()) {
                asks.add(Objects.requireNonNull(envelope.reply));
            }
        };
        actor.forEachWaiting(collect, actor.runner() != null);
        Lifecycle l = actor.lifecycle();
        DeferredReplies deferred = l.deferredIfAny();
        if (deferred != null) {
            deferred.forEach(asks::add);
        }
        ChildMessages messages = l.childMessagesIfAny();
        if (messages != null) {
            messages.forEach(collect);
        }
        if (l.bounded != null) {
            l.bounded.forEach(collect);
        }
        actor.forEachStashed(collect);
        return asks;
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
