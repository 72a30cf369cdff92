package shop;

import io.fibry.test.ActorTest;
import io.fibry.test.Probe;
import io.fibry.test.TestSystem;
import java.time.Duration;

class PricesTest {

    @ActorTest(seeds = 100)
    void aPriceIsSentBeforeTheDeadline(TestSystem test) {
        Probe<Integer> till = test.probe("till");
        test.actor("prices").<String>newActorFrom(context -> {
            context.after(Duration.ofHours(1), "pen");
            return item -> till.tell(item.length());
        });
        test.advance(Duration.ofHours(1));
        till.expect(3);
    }
}
