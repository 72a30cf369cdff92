package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.AllStrategies;
import io.fibry.testing.Await;
import io.fibry.testing.InContext;
import io.fibry.testing.KernelTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Behaviors that are replaced at run time. */
class BecomeTest extends KernelTest {

    private final List<String> seen = Collections.synchronizedList(new ArrayList<>());

    @AllStrategies(direct = true)
    void becomeChangesTheHandlingOfLaterMessages(ThreadStrategy strategy) {
        Actor<String> actor = actor(strategy).newActorFrom(context -> first -> {
            context.become(second -> {
                seen.add(second + " second");
                context.become(third -> seen.add(third + " third"));
            });
            seen.add(first + " first");
        });
        for (String message : List.of("a", "b", "c", "d")) {
            actor.tell(message);
        }
        actor.close();
        assertEquals(List.of("a first", "b second", "c third", "d third"), seen);
    }

    @AllStrategies(direct = true)
    void repliesChangeToo(ThreadStrategy strategy) {
        ReplyActor<Integer, String> actor = actor(strategy).newActorWithReturnFrom(context -> n -> {
            context.becomeWithReturn(next -> "then " + next);
            return "first " + n;
        });
        assertEquals("first 1", Await.value(actor.ask(1)));
        assertEquals("then 2", Await.value(actor.ask(2)));
        assertEquals("then 3", Await.value(actor.ask(3)));
    }

    @AllStrategies(direct = true)
    void aFailureThatIsResumedKeepsTheBehavior(ThreadStrategy strategy) {
        ReplyActor<Integer, String> actor = actor(strategy).newActorWithReturnFrom(context -> n -> {
            context.becomeWithReturn(next -> "then " + next);
            throw new IllegalStateException("thrown on purpose");
        });
        assertInstanceOf(IllegalStateException.class, Await.failure(actor.ask(1)));
        assertEquals("then 2", Await.value(actor.ask(2)));
    }

    @AllStrategies(direct = true)
    void aRestartRestoresTheFirstBehavior(ThreadStrategy strategy) {
        ReplyActor<Integer, String> actor = actor(strategy)
                .supervision(Supervision.restart())
                .newActorWithReturnFrom(context -> n -> {
                    context.becomeWithReturn(next -> {
                        if (next == 0) {
                            throw new IllegalStateException("thrown on purpose");
                        }
                        return "then " + next;
                    });
                    return "first " + n;
                });
        assertEquals("first 1", Await.value(actor.ask(1)));
        assertEquals("then 2", Await.value(actor.ask(2)));
        assertInstanceOf(IllegalStateException.class, Await.failure(actor.ask(0)));
        assertEquals("first 3", Await.value(actor.ask(3)));
    }

    @AllStrategies(direct = true)
    void aTaskCanChangeTheBehavior(ThreadStrategy strategy) {
        ReplyActor<Integer, Integer> actor = actor(strategy).newActorWithReturnFrom(context -> n -> {
            context.self().execute(() -> context.becomeWithReturn(next -> -next));
            return n;
        });
        assertEquals(1, Await.value(actor.ask(1)));
        assertEquals(-2, Await.value(actor.ask(2)));
    }

    @Test
    void aBehaviorOfTheWrongKindIsRefused() {
        ReplyActor<Integer, String> replies = system.actor().newActorWithReturnFrom(context -> n -> {
            var e = assertThrows(IllegalStateException.class, () -> context.become(m -> {}));
            assertThrows(NullPointerException.class, () -> context.becomeWithReturn(null));
            return e.getMessage();
        });
        assertTrue(Await.value(replies.ask(1)).contains("becomeWithReturn"));
        var tells = InContext.actor(system.actor());
        InContext.run(tells, context -> {
            assertThrows(NullPointerException.class, () -> context.become(null));
        });
        var context = InContext.of(tells);
        assertThrows(IllegalStateException.class, () -> context.become(code -> {}));
    }
}
