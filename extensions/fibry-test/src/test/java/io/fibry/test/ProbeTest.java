package io.fibry.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ReplyActor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ProbeTest {

    @AutoClose
    private final TestSystem test = TestSystem.create();

    private final Probe<Object> probe = test.probe("probe");

    @Test
    void seesMessagesInTheirOrder() {
        Actor<String> greeter = test.actor("greeter").newActor(name -> {
            probe.tell("hello " + name);
            probe.tell(name.length());
        });
        greeter.tell("Ann");
        assertEquals("hello Ann", probe.expect("hello Ann"));
        assertEquals(3, probe.expect(Integer.class));
        probe.expectNothing();
        greeter.tell("Bob");
        assertEquals("hello Bob", probe.next());
        assertEquals(List.of("hello Ann", 3, "hello Bob", 3), probe.messages());
    }

    @Test
    void aFailureReportContainsTheReceivedMessages() {
        probe.tell("tea");
        AssertionError other = assertThrows(AssertionError.class, () -> probe.expect("bread"));
        assertTrue(other.getMessage().startsWith("probe has expected bread, and tea has come"), other.getMessage());
        assertTrue(other.getMessage().contains("probe handles tea from the test"), other.getMessage());
        AssertionError none = assertThrows(AssertionError.class, () -> probe.expect("bread"));
        assertTrue(none.getMessage().startsWith("probe has expected bread, and nothing has come"), none.getMessage());
        probe.tell(42);
        AssertionError type = assertThrows(AssertionError.class, () -> probe.expect(String.class));
        assertTrue(type.getMessage().startsWith("probe has expected a String, and 42 has come"), type.getMessage());
        probe.tell("more");
        AssertionError nothing = assertThrows(AssertionError.class, probe::expectNothing);
        assertTrue(
                nothing.getMessage().startsWith("probe has expected nothing, and more has come"), nothing.getMessage());
    }

    @Test
    void repliesWhenTheTestWants() {
        ReplyActor<Object, Integer> stock = probe.asReplyActor();
        Actor<String> shop = test.actor("shop").newActor(item -> {
            int pieces = stock.ask(item, Duration.ofSeconds(5)).join();
            probe.tell("shop has " + pieces);
        });
        shop.tell("tea");
        probe.expect("tea");
        probe.reply(3);
        probe.expect("shop has 3");
        assertThrows(AssertionError.class, () -> probe.reply(4));
    }

    @Test
    void failsAnAsk() {
        CompletableFuture<Object> reply = probe.asReplyActor().ask("tea");
        probe.expect("tea");
        probe.fail(new IllegalStateException("sold out"));
        assertEquals("sold out", reply.exceptionNow().getMessage());
        assertThrows(AssertionError.class, () -> probe.fail(new IllegalStateException()));
    }

    @Test
    void aReplyNeedsAMessage() {
        assertThrows(IllegalStateException.class, () -> probe.reply(1));
    }
}
