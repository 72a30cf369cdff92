package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * While a system drains, its actors still work for each other. Seen to fail: a close that stops the registered actors before
 * the others have worked off what they have.
 */
class SystemDrainTest {

    @Test
    void anActorThatIsStillAtWorkReachesANamedOne() {
        assertMessageArrives(ThreadStrategy.virtual(), ThreadStrategy.virtual());
    }

    @Test
    void anActorWithAThreadOfItsOwnThatIsStillAtWorkReachesANamedOne() {
        assertMessageArrives(ThreadStrategy.platform(), ThreadStrategy.virtual());
    }

    @Test
    void anActorThatIsStillAtWorkReachesOneWithAThreadOfItsOwn() {
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
