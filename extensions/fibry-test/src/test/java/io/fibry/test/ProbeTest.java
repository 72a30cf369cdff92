package io.fibry.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ReplyActor;
import io.fibry.ReplyTo;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
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

    private record Price(String item, ReplyTo<Integer> replyTo) {}

    private static class Base {
        @SuppressWarnings("UnusedVariable") // the probe reads it
        final ReplyTo<Integer> replyTo;

        Base(ReplyTo<Integer> replyTo) {
            this.replyTo = replyTo;
        }
    }

    private static final class Derived extends Base {
        Derived(ReplyTo<Integer> replyTo) {
            super(replyTo);
        }
    }

    private record Wrapped(Object any) {}

    private record Two(ReplyTo<Integer> first, ReplyTo<Integer> second) {}

    /** The address is in a record, in a superclass, behind another type, or the message itself. */
    @Test
    void repliesToTheAddressInTheMessage() {
        List<Function<ReplyTo<Integer>, Object>> messages =
                List.of(replyTo -> new Price("tea", replyTo), Derived::new, Wrapped::new, replyTo -> replyTo);
        for (Function<ReplyTo<Integer>, Object> message : messages) {
            CompletableFuture<Integer> price = probe.ask(message, Duration.ofSeconds(5));
            probe.next();
            probe.reply(3);
            assertEquals(3, price.join());
            assertThrows(AssertionError.class, () -> probe.reply(4));
        }
    }

    @Test
    void repliesToTheActorThatHasSentTheAddress() throws Exception {
        ReplyActor<String, String> shop = test.actor("shop")
                .newActorWithReturn(item -> item + " costs "
                        + probe.<Integer>call(replyTo -> new Price(item, replyTo), Duration.ofHours(1)));
        CompletableFuture<String> answer = shop.ask("tea");
        assertEquals("tea", probe.expect(Price.class).item());
        probe.reply(3);
        assertEquals("tea costs 3", answer.join());
    }

    @Test
    void failsTheAskOfTheAddressInTheMessage() {
        CompletableFuture<Integer> price = probe.ask(replyTo -> new Price("tea", replyTo), Duration.ofSeconds(5));
        probe.next();
        probe.fail(new IllegalStateException("sold out"));
        assertEquals("sold out", price.exceptionNow().getMessage());
    }

    /** After the timeout, nobody waits, as with an ask of the probe. */
    @Test
    void aLateReplyToAnAddressFailsTheTest() {
        CompletableFuture<Integer> price = probe.ask(replyTo -> new Price("tea", replyTo), Duration.ofSeconds(5));
        probe.next();
        test.advance(Duration.ofSeconds(5));
        assertTrue(price.isCompletedExceptionally());
        AssertionError late = assertThrows(AssertionError.class, () -> probe.reply(3));
        assertTrue(late.getMessage().startsWith("nobody waits for a reply of probe"), late.getMessage());
    }

    @Test
    void severalAddressesAreRefused() {
        CompletableFuture<Integer> reply = probe.ask(address -> new Two(address, address), Duration.ofSeconds(5));
        Two two = probe.expect(Two.class);
        String text =
                assertThrows(IllegalStateException.class, () -> probe.reply(3)).getMessage();
        assertTrue(
                text.endsWith("several addresses for a reply: first, second; call reply of the right one instead"),
                text);
        assertTrue(two.second().reply(3));
        assertEquals(3, reply.join());
    }

    /** The ask comes first, also if its message has an address, which the code under test may pass on. */
    @Test
    void anAskComesBeforeAnAddress() {
        CompletableFuture<Integer> carried = probe.ask(replyTo -> new Price("tea", replyTo), Duration.ofSeconds(5));
        Price price = probe.expect(Price.class);
        CompletableFuture<Object> asked = probe.asReplyActor().ask(price);
        probe.next();
        probe.reply("passed on");
        assertEquals("passed on", asked.join());
        assertFalse(carried.isDone());
        probe.reply(3);
        assertEquals(3, carried.join());
    }
}
