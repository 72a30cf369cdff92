package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.cluster.NoMajorityException;
import io.fibry.cluster.pekko.Fence.Moment;
import io.fibry.cluster.pekko.FencedBehavior.Question;
import io.fibry.cluster.pekko.Packet.ToEntity;
import io.fibry.entity.EntityBehavior;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class FencedBehaviorTest {

    private final Fence fence = new Fence(Duration.ofHours(1));
    private final Fencing fencing = new Fencing(fence, new TakeoverBarrier(Duration.ZERO), new ClusterCounters());
    private final List<String> calls = new ArrayList<>();
    private FencedBehavior<String, String> behavior;

    @BeforeEach
    void begin() throws Exception {
        fence.confirm(Moment.now());
        behavior = FencedBehavior.begin(fencing, "key", key -> new EntityBehavior<String, String>() {
            @Override
            public String handle(String message) {
                calls.add(message);
                return message;
            }

            @Override
            public void onEnd() {
                calls.add("end");
            }
        });
    }

    private static Question question(String message, long timeoutMillis) {
        var packet = new ToEntity("t", ToEntity.Kind.ASK, 0, "key", new byte[0], "a", 1, timeoutMillis, 0);
        return new Question(message, packet);
    }

    @Test
    void anOwnerHandlesMessagesAndTheEnd() throws Exception {
        assertEquals("tell", behavior.handle("tell"));
        assertEquals("ask", behavior.handle(question("ask", Long.MAX_VALUE)));
        behavior.onEnd();
        assertEquals(List.of("tell", "ask", "end"), calls);
    }

    @Test
    void aRemovedOwnerDoesNotHandleItsEnd() throws Exception {
        fence.close();
        assertThrows(NoMajorityException.class, () -> behavior.handle("tell"));
        behavior.onEnd();
        assertEquals(List.of(), calls);
    }

    @Test
    void anInterruptedWaitForTheFenceOmitsTheEnd() throws Exception {
        fence.revoke();
        Thread.currentThread().interrupt();
        behavior.onEnd();
        assertTrue(Thread.interrupted());
        assertEquals(List.of(), calls);
    }

    @Test
    void anAskIsNotHandledAfterItsTimeout() throws Exception {
        Question late = question("late", 0);
        behavior.handle(late);
        assertTrue(late.isSkipped());
        Question inTime = question("in time", Long.MAX_VALUE);
        behavior.handle(inTime);
        assertFalse(inTime.isSkipped());
        assertEquals(List.of("in time"), calls);
    }
}
