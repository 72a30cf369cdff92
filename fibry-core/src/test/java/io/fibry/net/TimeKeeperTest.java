package io.fibry.net;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.LogLines;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class TimeKeeperTest {

    @Test
    void goesOnAfterAFailure() throws Exception {
        var looks = new CountDownLatch(3);
        try (var log = new LogLines()) {
            var keeper = new TimeKeeper(
                    now -> {
                        looks.countDown();
                        throw new OutOfMemoryError("on purpose");
                    },
                    1);
            keeper.start();
            assertTrue(looks.await(60, TimeUnit.SECONDS));
            keeper.stop();
            assertFalse(log.with("timeouts of connections could not be looked after")
                    .isEmpty());
        }
    }
}
