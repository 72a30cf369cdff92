package io.fibry.durable;

import io.fibry.Actor;
import io.fibry.ActorContext;
import io.fibry.ActorStoppedException;
import io.fibry.Overflow;
import io.fibry.ThreadStrategy;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.LogLimit;
import io.fibry.dispatch.LogText;
import io.fibry.dispatch.Time;
import io.fibry.durable.DurableMessage.Wake;
import io.fibry.entity.Entities;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes the entities of a type that have stored messages. The behavior of an actor.
 *
 * <p>An entity is woken after the commit of a change of this process that stores a message for it, and whenever the
 * store returns it from {@link DurableStore#claim}: due reminders, messages of other processes, and messages whose
 * delivery has failed or was interrupted by a crash. A wake has no content, so it may be lost or repeated.
 *
 * <p>At most one wake per entity is under way. If another one is requested meanwhile, it follows, since the entity may
 * have read its messages before the new one was stored.
 *
 * <p>If senders wait for room in a full mailbox, a separate actor sends each wake. An entity with a full mailbox
 * therefore delays no other one.
 */
final class Relay<M, R extends @Nullable Object> {

    private static final Logger LOG = LoggerFactory.getLogger(DurableEntities.class);
    private static final LogLimit WARNINGS = new LogLimit();

    /** The time between two looks into the store. */
    private static final Duration PERIOD = Duration.ofMillis(200);

    private static final Duration REPLY_PERIOD = Duration.ofMinutes(1);

    /** A wake is lost with the node of its entity. One that takes longer is repeated, which has no effect. */
    private static final Duration WAKE_TIMEOUT = Duration.ofSeconds(10);

    /** No message is claimed while more wakes are under way. */
    private static final int MAX_CLAIMED = 1000;

    /** Further messages of this process wait for a claim. */
    private static final int MAX_WAKES = 10_000;

    /** The pause of claims after the entities have refused a message: the node has no majority, or is leaving. */
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private static final int MAX_REPLIES = 1000;

    sealed interface Request {}

    /** Look into the store. */
    enum Look implements Request {
        LOOK
    }

    /** A message for this entity has been stored. */
    record Stored(String id) implements Request {}

    private record Woken(String id, @Nullable Throwable failure) implements Request {}

    private final ActorContext<Request> context;
    private final DurableStore store;
    private final String type;
    private final Duration keepReplies;
    private final boolean mayWaitForRoom;
    private final Entities<String, DurableMessage<M>, R> entities;
    private final RelayCounts counts;

    /** The entities with a wake under way; true if another one must follow. */
    private final Map<String, Boolean> wakes = new HashMap<>();

    /** Whether the last claim has returned messages: then the next one need not wait for the period. */
    private boolean mayHaveMore;

    /**
     * Claims are left to other processes until this {@link Time#nanos}, because the entities of this one refuse
     * messages. The time of day may be set back.
     */
    private long pauseEnd = Time.nanos();

    /** No replies are deleted until this {@link Time#nanos}. */
    private long nextDeletion = Time.nanos();

    Relay(
            ActorContext<Request> context,
            DurableStore store,
            String type,
            DurableOptions options,
            Entities<String, DurableMessage<M>, R> entities,
            RelayCounts counts) {
        this.context = context;
        this.store = store;
        this.type = type;
        this.keepReplies = options.keepReplies();
        this.mayWaitForRoom =
                options.entities().capacity() > 0 && options.entities().overflow() == Overflow.BLOCK;
        this.entities = entities;
        this.counts = counts;
        context.every(PERIOD, Look.LOOK);
    }

    void handle(Request request) throws InterruptedException {
        switch (request) {
            case Look look -> look();
            case Stored stored -> wake(stored.id);
            case Woken woken -> woken(woken);
        }
    }

    private void look() throws InterruptedException {
        try {
            claim();
            deleteReplies();
            counts.look(store, type, Time.now());
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            warn("The stored messages of {} cannot be read. The next attempt follows.", type, e);
        }
    }

    private void claim() throws Exception {
        mayHaveMore = false;
        int limit = MAX_CLAIMED - wakes.size();
        Instant now = Time.now();
        if (limit < 1 || Time.nanos() - pauseEnd < 0) {
            return;
        }
        List<String> ids = store.claim(type, now, limit);
        mayHaveMore = !ids.isEmpty();
        ids.forEach(this::wake);
    }

    private void deleteReplies() throws Exception {
        if (Time.nanos() - nextDeletion < 0) {
            return;
        }
        if (store.deleteReplies(type, Time.now().minus(keepReplies), MAX_REPLIES) < MAX_REPLIES) {
            nextDeletion = Durations.deadline(REPLY_PERIOD);
        }
    }

    private void wake(String id) {
        if (wakes.containsKey(id)) {
            wakes.put(id, true);
        } else if (wakes.size() < MAX_WAKES) {
            wakes.put(id, false);
            send(id);
        }
    }

    private void send(String id) {
        if (!mayWaitForRoom) {
            ask(id);
            return;
        }
        try {
            Actor<String> sender = context.spawn()
                    .strategy(ThreadStrategy.virtual())
                    .label(type + "/" + id + ", wake")
                    .newActor(this::ask);
            sender.tell(id);
            sender.stop();
        } catch (IllegalStateException | ActorStoppedException e) {
            wakes.remove(id);
            LOG.trace("The message stays stored, because the system is being closed.", e);
        }
    }

    private void ask(String id) {
        var wake = new Wake<M>(Time.now());
        CompletableFuture<?> unused = entities.ref(id)
                .ask(wake, WAKE_TIMEOUT)
                .whenComplete((reply, failure) -> ended(new Woken(id, failure)));
    }

    private void ended(Woken woken) {
        try {
            context.self().tell(woken);
        } catch (ActorStoppedException e) {
            LOG.trace("The entities have been closed.", e);
        }
    }

    private void woken(Woken woken) throws InterruptedException {
        mayHaveMore &= woken.failure == null;
        if (woken.failure instanceof ActorStoppedException) {
            pauseEnd = Durations.deadline(PAUSE);
        } else if (woken.failure != null) {
            counts.failed();
            warn(
                    "Stored messages of {} have not been handled. They are kept; another attempt follows.",
                    type + "/" + woken.id,
                    woken.failure);
        }
        if (wakes.getOrDefault(woken.id, false)) {
            wakes.put(woken.id, false);
            send(woken.id);
        } else {
            wakes.remove(woken.id);
            if (mayHaveMore && wakes.size() <= MAX_CLAIMED / 2) {
                look();
            }
        }
    }

    private static void warn(String text, String name, Throwable failure) {
        if (WARNINGS.tryLog()) {
            LOG.warn(text, LogText.plain(name), LogText.plainTrace(failure));
        }
    }
}
