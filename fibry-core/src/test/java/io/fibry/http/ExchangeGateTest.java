package io.fibry.http;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.Await;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The waits of a server that stops. */
@Timeout(60)
class ExchangeGateTest {

    private final ExchangeGate gate = new ExchangeGate(1);

    private FutureTask<Boolean> waitForLastRequests(long millis) {
        return new FutureTask<>(() -> {
            gate.awaitLastRequests(millis);
            return true;
        });
    }

    /** The client of the connection may be about to send its next request, which must get a response. */
    @Test
    void anOpenConnectionDelaysTheEndUntilTheGateIsAbandoned() throws Exception {
        assertTrue(gate.enter());
        gate.keptOpen();
        gate.leave();
        gate.close();
        assertTrue(gate.awaitEmpty(0));
        FutureTask<Boolean> wait = waitForLastRequests(TimeUnit.HOURS.toMillis(1));
        Thread waiting = Thread.ofPlatform().daemon().start(wait);
        Await.until(
                "the wait begins or is over",
                () -> waiting.getState() == Thread.State.TIMED_WAITING || !waiting.isAlive());
        assertFalse(wait.isDone(), "the server ends without the last requests");
        gate.abandon();
        assertTrue(Await.value(wait));
    }

    @Test
    void aGateWithoutOpenConnectionsDoesNotWait() {
        gate.close();
        FutureTask<Boolean> wait = waitForLastRequests(TimeUnit.HOURS.toMillis(1));
        Thread unused = Thread.ofPlatform().daemon().start(wait);
        assertTrue(Await.value(wait));
    }
}
