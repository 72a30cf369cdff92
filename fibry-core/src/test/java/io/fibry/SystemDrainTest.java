package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.testing.Await;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * While a system drains, its actors still process each other's messages.
 *
 * <p>Seen to fail: a close that stops the registered actors before the others have handled their waiting messages.
 */
class SystemDrainTest {

    @Test
    void aRunningActorReachesANamedActor() {
        assertMessageArrives(ThreadStrategy.virtual(), ThreadStrategy.virtual());
    }

    @Test
    void aRunningActorWithItsOwnThreadReachesANamedActor() {
        assertMessageArrives(ThreadStrategy.platform(), ThreadStrategy.virtual());
    }

    @Test
    void aRunningActorReachesAnActorWithItsOwnThread() {
        assertMessageArrives(ThreadStrategy.virtual(), ThreadStrategy.platform());
    }

    private static void assertMessageArrives(ThreadStrategy relaysOn, ThreadStrategy printsOn) {
        var closing = new CountDownLatch(1);
        var printed = new AtomicInteger();
        var system = ActorSystem.create();
        Actor<String> printer =
                system.actor("printer").strategy(printsOn).newActor((String line) -> printed.incrementAndGet());
        Actor<String> relay = system.actor().strategy(relaysOn).newActor((String line) -> {
            Await.latch(closing);
            printer.tell(line);
        });
        relay.tell("a line");

        var closer = Thread.ofVirtual().start(() -> system.close(Duration.ofDays(1)));
        Await.until("the system is closing", system::isClosing);
        closing.countDown();
        Await.thread(closer);

        assertEquals(1, printed.get());
    }
}
