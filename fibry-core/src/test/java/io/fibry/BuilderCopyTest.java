package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.batch.BatchOptions;
import io.fibry.batch.Batcher;
import io.fibry.generator.Generator;
import io.fibry.generator.GeneratorOptions;
import io.fibry.net.TcpAcceptor;
import io.fibry.net.TcpOptions;
import io.fibry.testing.Await;
import io.fibry.testing.KernelTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/**
 * The values of a builder's options, copies, and stereotypes that leave the builder as it was.
 *
 * <p>Seen to fail: a copy without the hook, the label or the supervision; a batcher that sets its hook on the builder.
 */
class BuilderCopyTest extends KernelTest {

    private final List<String> ended = new CopyOnWriteArrayList<>();

    @Test
    void theValuesOfTheOptions() {
        var builder = system.actor("clerk");
        assertSame(system, builder.system());
        assertEquals("clerk", builder.name());
        assertNull(builder.label());
        assertEquals(system.defaultStrategy(), builder.strategy());
        builder.strategy(ThreadStrategy.platform()).label("desk");
        assertEquals(ThreadStrategy.platform(), builder.strategy());
        assertEquals("desk", builder.label());
        assertNull(system.actor().name());
    }

    @Test
    void aCopyHasTheSameOptions() {
        Actor<String> parent = system.actor().newActor(message -> {});
        var builder = system.actor("clerk")
                .childOf(parent)
                .bounded(1, Overflow.FAIL)
                .supervision(Supervision.restart())
                .onStop(exit -> ended.add("hook"));
        var copy = builder.copy();
        assertThrows(IllegalArgumentException.class, () -> copy.newActor(message -> {})); // a restart needs a factory
        Actor<String> actor = copy.newActorFrom(context -> message -> {});
        assertEquals("clerk", actor.name());
        assertEquals(0, actor.mailboxSize().orElseThrow());
        assertTrue(parent.close(Await.LIMIT)); // and its child
        assertEquals(List.of("hook"), ended);
    }

    @Test
    void theOptionsOfACopyChangeWithoutTheOther() {
        var builder = system.actor().label("first").onStop(exit -> ended.add("first"));
        var copy = builder.copy().label("second").onStop(exit -> ended.add("second"));
        assertEquals("first", builder.label());
        assertTrue(builder.newActor(message -> {}).close(Await.LIMIT));
        assertTrue(copy.newActor(message -> {}).close(Await.LIMIT));
        assertEquals(List.of("first", "second"), ended);
    }

    @Test
    void stereotypesLeaveTheBuilderAsItWas() {
        var builder = system.actor().label("mine").onStop(exit -> ended.add("mine"));
        BatchOptions batches = BatchOptions.of(10, Duration.ofDays(1));
        Actor<Integer> batcher = Batcher.start(builder, (List<Integer> batch) -> {}, batches);
        Generator<Integer> generator = Generator.start(builder, out -> {}, GeneratorOptions.defaults());
        TcpAcceptor server = TcpAcceptor.start(builder, 0, connection -> {}, TcpOptions.defaults());
        assertEquals("mine", server.name());
        assertTrue(batcher.close(Await.LIMIT));
        generator.close();
        server.close();
        assertEquals(List.of(), ended);
        assertTrue(builder.newActor(message -> {}).close(Await.LIMIT));
        assertEquals(List.of("mine"), ended);
        assertEquals("mine", builder.label());
        assertEquals(system.defaultStrategy(), builder.strategy());
    }
}
