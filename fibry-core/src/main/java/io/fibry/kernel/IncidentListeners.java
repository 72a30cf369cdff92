package io.fibry.kernel;

import io.fibry.Actor;
import io.fibry.DeadLetter;
import io.fibry.Incident;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes the incidents of a system to its listeners. Without a listener, an incident costs one read. Throws nothing: a
 * failing listener or a lack of memory must not affect the code after the incident. No lambda is linked here, since
 * linkage may run out of memory.
 */
final class IncidentListeners {

    private final List<Consumer<? super Incident>> listeners = new CopyOnWriteArrayList<>();

    /** Adds a listener. Returns a handle whose {@code close} removes it. */
    AutoCloseable add(Consumer<? super Incident> listener) {
        // a distinct entry: the same listener may be added twice, and removed once
        Consumer<Incident> entry = listener::accept;
        listeners.add(entry);
        return () -> listeners.remove(entry);
    }

    void failed(ActorState<?> actor, Object message, Throwable failure) {
        if (!listeners.isEmpty()) {
            publish(Incident.Kind.FAILURE, actor, message, failure, null);
        }
    }

    void deadLetter(Actor<?> actor, Object message, DeadLetter.Reason reason) {
        if (!listeners.isEmpty()) {
            publish(Incident.Kind.DEAD_LETTER, actor, message, null, reason);
        }
    }

    private void publish(
            Incident.Kind kind,
            Actor<?> actor,
            Object message,
            @Nullable Throwable failure,
            DeadLetter.@Nullable Reason reason) {
        try {
            String id = Integer.toHexString(System.identityHashCode(actor));
            var incident = new Incident(kind, id, actor.name(), message.getClass(), failure, reason);
            for (Consumer<? super Incident> listener : listeners) {
                publish(listener, incident);
            }
        } catch (Throwable t) {
            KernelLog.failedToReport("listener of incidents", t);
        }
    }

    private static void publish(Consumer<? super Incident> listener, Incident incident) {
        try {
            listener.accept(incident);
        } catch (Throwable t) {
            KernelLog.failedToReport("listener of incidents", t);
        }
    }
}
