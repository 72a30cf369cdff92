package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SubscriberDeliveryTest {

    private static final Delivery.Lease EXPIRED = Delivery.Lease.of(Duration.ZERO);
    private static final Delivery.Lease LONG = Delivery.Lease.of(Duration.ofHours(1));

    private final List<Long> received = new ArrayList<>();

    private final class Recorder implements Flow.Subscriber<Recorded<Long>> {
        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(9);
        }

        @Override
        public void onNext(Recorded<Long> event) {
            received.add(event.version());
        }

        @Override
        public void onError(Throwable failure) {
            throw new AssertionError(failure);
        }

        @Override
        public void onComplete() {}
    }

    private static Recorded<Long> event(long version) {
        return new Recorded<>("key", version, Instant.EPOCH, version);
    }

    /** Another node may have delivered it, and later events. */
    @Test
    void anEventIsNotDeliveredAfterTheLease() throws Exception {
        var delivery = new SubscriberDelivery<>(new Recorder());
        delivery.begin(() -> {});
        assertTrue(delivery.isReady());
        assertFalse(delivery.deliver(event(1), EXPIRED));
        assertTrue(delivery.deliver(event(2), LONG));
        assertEquals(List.of(2L), received);
    }
}
