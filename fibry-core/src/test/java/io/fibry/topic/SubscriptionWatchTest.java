package io.fibry.topic;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorContext;
import io.fibry.ThreadStrategy;
import io.fibry.testing.FakeContext;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * Calls of {@code subscribe} and {@code unsubscribe} for the same actor that overlap. The second call runs while the
 * first one sets or ends its watch.
 */
class SubscriptionWatchTest extends TopicCase {

    /** The subscriptions of an actor whose context runs code before or after the first call of a method. */
    private Subscriptions<Integer> subscriptions(String method, boolean beforeTheCall, Runnable code) {
        Runnable first = once(code);
        Runnable nothing = () -> {};
        Runnable before = beforeTheCall ? first : nothing;
        Runnable after = beforeTheCall ? nothing : first;
        var made = new CompletableFuture<Subscriptions<Integer>>();
        Actor<Object> unused = system.actor().newActorFrom((ActorContext<Object> context) -> {
            var subscriptions = new Subscriptions<Integer>(FakeContext.around(context, method, before, after), false);
            made.complete(subscriptions);
            return subscriptions::handle;
        });
        return made.join();
    }

    private static Runnable once(Runnable code) {
        var done = new AtomicBoolean();
        return () -> {
            if (done.compareAndSet(false, true)) {
                code.run();
            }
        };
    }

    private Reader reader() {
        return new Reader(ThreadStrategy.virtual(), false);
    }

    private static void awaitNone(Subscriptions<Integer> subscriptions) {
        await().atMost(Duration.ofSeconds(30)).until(() -> subscriptions.stats().subscribers() == 0);
    }

    private void anActorThatIsSubscribedDuringAnUnsubscribeIsRemovedAtItsEnd(boolean beforeTheCall) {
        var reader = reader();
        var holder = new CompletableFuture<Subscriptions<Integer>>();
        Runnable subscribe = () -> holder.join().add(new Subscription<>(reader.actor, null));
        var subscriptions = subscriptions("unwatch", beforeTheCall, subscribe);
        holder.complete(subscriptions);
        subscriptions.add(new Subscription<>(reader.actor, null));
        assertTrue(subscriptions.remove(reader.actor));
        assertEquals(1, subscriptions.stats().subscribers(), "the later subscription");
        reader.actor.close();
        awaitNone(subscriptions);
    }

    @Test
    void anActorThatIsSubscribedBeforeItsWatchEndsIsRemovedAtItsEnd() {
        anActorThatIsSubscribedDuringAnUnsubscribeIsRemovedAtItsEnd(true);
    }

    @Test
    void anActorThatIsSubscribedAfterItsWatchHasEndedIsRemovedAtItsEnd() {
        anActorThatIsSubscribedDuringAnUnsubscribeIsRemovedAtItsEnd(false);
    }

    private void anActorThatEndsDuringTwoSubscriptionsIsRemoved(boolean beforeTheCall) {
        var reader = reader();
        var holder = new CompletableFuture<Subscriptions<Integer>>();
        Runnable subscribeAndEnd = () -> {
            holder.join().add(new Subscription<>(reader.actor, null));
            reader.actor.close();
            awaitNone(holder.join());
        };
        var subscriptions = subscriptions("watch", beforeTheCall, subscribeAndEnd);
        holder.complete(subscriptions);
        subscriptions.add(new Subscription<>(reader.actor, null));
        awaitNone(subscriptions);
    }

    @Test
    void anActorThatEndsBeforeTheFirstOfTwoWatchesIsRemoved() {
        anActorThatEndsDuringTwoSubscriptionsIsRemoved(true);
    }

    @Test
    void anActorThatEndsAfterTheFirstOfTwoWatchesIsRemoved() {
        anActorThatEndsDuringTwoSubscriptionsIsRemoved(false);
    }
}
