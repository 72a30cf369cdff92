package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.NoLeftovers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The code of the Javadoc, compiled and run. The Javadoc shows the marked regions. */
@ExtendWith(NoLeftovers.class)
@Timeout(60)
class ActorSnippets {

    @AfterAll
    static void closeTheDefaultSystem() {
        ActorSystem.defaultSystem().close();
    }

    @Test
    void cancelOnStop() {
        // @start region="cancelOnStop"
        Actor<String> payment = ActorSystem.anonymous().newActorFrom(context -> {
            context.after(Duration.ofHours(1), "too late").cancelOnStop();
            return message -> {};
        });
        payment.stop(); // ends at once, not after an hour
        // @end
        payment.waitForExit();
    }

    @Test
    void pause() {
        List<String> printed = Collections.synchronizedList(new ArrayList<>());
        // @start region="pause"
        Actor<String> printer = ActorSystem.anonymous().newActorFrom(context -> line -> {
            printed.add(line);
            context.pause(Duration.ofMillis(10)); // at most 100 lines a second
        });
        printer.tell("one");
        printer.tell("two");
        // @end
        printer.close();
        assertEquals(List.of("one", "two"), printed);
    }

    @Test
    void tell() {
        List<String> printed = new ArrayList<>();
        // @start region="tell"
        Actor<String> printer = ActorSystem.anonymous().newActor(text -> printed.add(text));
        printer.tell("one"); // returns at once
        printer.tell("two"); // handled after "one", never concurrently
        printer.close(); // handles both, then ends
        // @end
        assertEquals(List.of("one", "two"), printed);
    }

    @Test
    void tellAll() {
        List<String> printed = new ArrayList<>();
        // @start region="tellAll"
        Actor<String> log = ActorSystem.anonymous().newActor(line -> printed.add(line));
        log.tellAll(List.of("first line of a report", "second line")); // no line of another sender in between
        log.close();
        // @end
        assertEquals(List.of("first line of a report", "second line"), printed);
    }

    @Test
    void whenWritable() {
        List<String> printed = Collections.synchronizedList(new ArrayList<>());
        Actor<String> printer =
                ActorSystem.anonymous().bounded(1, Overflow.FAIL).newActor((String line) -> printed.add(line));
        List<String> lines = List.of("one", "two", "three", "four");
        // @start region="room"
        for (String line : lines) {
            while (!printer.tryTell(line)) {
                printer.whenWritable().join(); // others may be faster, hence the loop
            }
        }
        // @end
        printer.close();
        assertEquals(lines, printed);
    }

    @Test
    void ask() throws Exception {
        // @start region="ask"
        ReplyActor<Integer, Integer> squares = ActorSystem.anonymous().newActorWithReturn(n -> n * n);
        int nine = squares.ask(3).get(); // waits for the reply
        CompletableFuture<String> sixteen = squares.ask(4).thenApply(n -> "4 squared is " + n);
        // @end
        assertEquals(9, nine);
        assertEquals("4 squared is 16", sixteen.get());
    }

    @Test
    void sink() {
        var seen = new CompletableFuture<Integer>();
        // @start region="sink"
        Sink<Map<String, Integer>> stock = ActorSystem.anonymous().newSink(new HashMap<>());
        stock.execute(map -> map.merge("apples", 3, Integer::sum)); // no other code accesses the map
        stock.execute(map -> seen.complete(map.get("apples")));
        // @end
        assertEquals(3, seen.join());
    }

    @Test
    void system() {
        var sum = new AtomicInteger();
        // @start region="system"
        try (ActorSystem system = ActorSystem.create()) {
            Actor<Integer> adder = system.actor("adder").newActor(n -> sum.addAndGet(n));
            adder.tell(3);
            adder.tell(4);
        } // accepted messages are handled, and the system's actors have ended
        // @end
        assertEquals(7, sum.get());
    }

    @Test
    void builder() {
        var ended = new CompletableFuture<String>();
        // @start region="builder"
        Actor<String> actor = ActorSystem.named("parser")
                .strategy(ThreadStrategy.platform())
                .supervision(Supervision.stop())
                .onStop(exit -> ended.complete("the parser has ended"))
                .newActor(text -> Integer.parseInt(text));
        actor.tell("not a number"); // the behavior throws: the exception is logged, and the actor ends
        actor.waitForExit();
        // @end
        assertEquals("the parser has ended", ended.join());
        assertTrue(actor.waitForExit(Duration.ZERO));
        assertThrows(ActorStoppedException.class, () -> actor.tell("1"));
    }

    void latency() {
        // @start region="latency"
        SystemOptions options = SystemOptions.defaults().latencySampling(64);
        try (ActorSystem system = ActorSystem.create(options)) {
            Actor<String> printer = system.actor("printer").newActor(System.out::println);
            printer.tell("hello");
            for (Latency latency : system.latencies()) {
                System.out.println(latency.actor() + " " + latency.kind() + " " + latency.percentile(99));
            }
        }
        // @end
    }
}
