package shop;

import io.fibry.Overflow;
import io.fibry.spring.FibryActor;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * Hands orders to the carrier, one after the other. At most 500 orders wait; beyond that, the service refuses orders,
 * which bounds its memory.
 */
@Component
@FibryActor(capacity = 500, overflow = Overflow.FAIL)
class Shipping implements Consumer<Order> {

    private static final Logger LOG = LoggerFactory.getLogger(Shipping.class);

    private final Duration carrierTime;
    private final AtomicInteger shipped = new AtomicInteger();

    Shipping(@Value("${shop.carrier-time}") Duration carrierTime) {
        this.carrierTime = carrierTime;
    }

    @Override
    public void accept(Order order) {
        try {
            Thread.sleep(carrierTime); // a slow remote service
        } catch (InterruptedException e) { // the stop has reached its deadline
            throw new IllegalStateException(order + " was not shipped", e);
        }
        LOG.info("Shipped {}, number {}", order, shipped.incrementAndGet());
    }

    int shipped() {
        return shipped.get();
    }
}
