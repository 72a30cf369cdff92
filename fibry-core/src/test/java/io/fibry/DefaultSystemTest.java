package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.fibry.testing.Await;
import io.fibry.testing.NoLeftovers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The system used by the static methods. */
@ExtendWith(NoLeftovers.class)
class DefaultSystemTest {

    @AfterEach
    void closeIt() {
        ActorSystem.setDefaultStrategy(ThreadStrategy.virtual());
        ActorSystem.defaultSystem().close();
    }

    @Test
    void theStaticMethodsShareOneSystem() {
        var actor = ActorSystem.named("clerk").newActorWithReturn((Integer n) -> n + 1);
        assertEquals(2, Await.value(actor.ask(1)));
        assertThrows(
                IllegalStateException.class, () -> ActorSystem.named("clerk").newSink(null));
        assertSame(ActorSystem.defaultSystem(), ActorSystem.defaultSystem());
        var anonymous = ActorSystem.anonymous().newSink(null);
        ActorSystem.defaultSystem().close();
        Await.end(actor);
        assertThrows(
                IllegalArgumentException.class,
                () -> ActorSystem.defaultSystem().actor().childOf(anonymous).newSink(null));
    }

    @Test
    void afterACloseANewSystemIsCreated() {
        var before = ActorSystem.defaultSystem();
        ActorSystem.named("clerk").newSink(null);
        before.close();
        assertNotSame(before, ActorSystem.defaultSystem());
        var actor = ActorSystem.named("clerk").newActorWithReturn((Integer n) -> n);
        assertEquals(1, Await.value(actor.ask(1)));
    }

    @Test
    void theDefaultStrategyAppliesImmediatelyAndAfterAClose() {
        assertEquals(ThreadStrategy.virtual(), ActorSystem.defaultSystem().defaultStrategy());
        ActorSystem.setDefaultStrategy(ThreadStrategy.platform());
        for (int i = 0; i < 2; i++) {
            assertEquals(ThreadStrategy.platform(), ActorSystem.defaultSystem().defaultStrategy());
            var actor = ActorSystem.anonymous()
                    .newActorWithReturn((Integer n) -> Thread.currentThread().isVirtual());
            assertEquals(false, Await.value(actor.ask(1)));
            ActorSystem.defaultSystem().close();
        }
    }
}
