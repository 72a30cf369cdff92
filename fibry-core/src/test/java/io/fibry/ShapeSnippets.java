package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.batch.BatchOptions;
import io.fibry.generator.Generator;
import io.fibry.generator.GeneratorOptions;
import io.fibry.mapreduce.MapReduce;
import io.fibry.mapreduce.MapReduceOptions;
import io.fibry.pool.PoolOptions;
import io.fibry.pool.WorkerPool;
import io.fibry.schedule.MissedRuns;
import io.fibry.schedule.Timetable;
import io.fibry.state.StateMachine;
import io.fibry.state.StateMachineSpec;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.testing.NoLeftovers;
import io.fibry.topic.Topic;
import io.fibry.topic.TopicOptions;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The code of the Javadoc of the stereotypes, compiled and run. The Javadoc shows the marked regions. */
@ExtendWith(NoLeftovers.class)
@Timeout(60)
class ShapeSnippets {

    @AfterAll
    static void closeTheDefaultSystem() {
        ActorSystem.defaultSystem().close();
    }

    @Test
    void topic() {
        List<String> printed = new ArrayList<>();
        // @start region="topic"
        Topic<String> news =
                Stereotypes.def().named("news").topic(TopicOptions.defaults().keepLast(true));
        Actor<String> reader = ActorSystem.anonymous().newActor(text -> printed.add(text));
        news.publish("one");
        news.subscribe(reader); // gets "one", the last message
        news.publish("two");
        news.close();
        reader.close();
        // @end
        assertEquals("two", printed.getLast());
    }

    @Test
    void batcher() throws Exception {
        List<List<String>> inserted = new ArrayList<>();
        // @start region="batcher"
        ReplyActor<String, Integer> store = Stereotypes.def()
                .batcherWithReturn(
                        (List<String> rows) -> {
                            inserted.add(rows); // one round trip for all of them
                            return rows.stream().map(String::length).toList(); // a reply for each
                        },
                        BatchOptions.of(100, Duration.ofMillis(20)));
        var first = store.ask("one");
        var second = store.ask("three");
        store.close(); // hands the last batch on
        // @end
        assertEquals(3, first.get());
        assertEquals(5, second.get());
        assertEquals(2, inserted.stream().mapToInt(List::size).sum());
    }

    @Test
    void workerPool() throws Exception {
        // @start region="workerPool"
        record Job(int urgency, String text) {}
        WorkerPool<Job, Integer> pool = Stereotypes.def()
                .named("jobs")
                .workerPoolWithReturn(
                        (Job job) -> job.text().length(),
                        PoolOptions.of(4) // never more at a time
                                .bounded(100, Overflow.BLOCK) // then senders wait
                                .priority(Comparator.comparingInt(Job::urgency)));
        var length = pool.ask(new Job(1, "four"));
        pool.tell(new Job(2, "five"));
        pool.close(); // handles all waiting messages
        // @end
        assertEquals(4, length.get());
        assertEquals(2, pool.stats().done());
    }

    private enum Door {
        OPEN,
        CLOSED,
        LOCKED
    }

    private sealed interface Move permits Push, Turn {}

    private record Push() implements Move {}

    private record Turn(int code) implements Move {}

    @Test
    void stateMachine() {
        List<String> rung = new ArrayList<>();
        // @start region="stateMachine"
        StateMachineSpec<Door, Move> spec = StateMachineSpec.<Door, Move>startingIn(Door.CLOSED)
                .on(Door.CLOSED, Push.class, Door.OPEN)
                .on(Door.OPEN, Push.class, Door.CLOSED)
                .timeout(Door.OPEN, Duration.ofMinutes(1), Door.CLOSED) // it closes by itself
                .onEntry(Door.OPEN, context -> rung.add("ring"))
                .choose(
                        Door.CLOSED,
                        Turn.class,
                        (turn, context) -> turn.code() == 42 ? Door.LOCKED : Door.CLOSED,
                        List.of(Door.LOCKED, Door.CLOSED));
        StateMachine<Door, Move> door = Stereotypes.def().named("door").stateMachine(spec);
        door.tell(new Push());
        door.tell(new Push());
        door.tell(new Turn(42));
        door.close();
        // @end
        assertEquals(Door.LOCKED, door.state());
        assertEquals(List.of("ring"), rung);
    }

    @Test
    void timetable() {
        var runs = new AtomicInteger();
        // @start region="timetable"
        Timetable nights = Timetable.dailyAt(ZoneId.of("Europe/Rome"), LocalTime.of(2, 30))
                .missed(MissedRuns.SKIP) // not in the morning, if the computer was suspended at night
                .reportAfter(Duration.ofMinutes(10))
                .interruptAfter(Duration.ofHours(1));
        Timetable retries = Timetable.withFixedDelay(Duration.ofMillis(10)).maxRuns(3);

        Actor<Void> backup = Stereotypes.def().named("backup").schedule(() -> runs.addAndGet(100), nights);
        Actor<Void> retry = Stereotypes.threads().schedule(runs::incrementAndGet, retries);
        retry.waitForExit(); // after the third run
        backup.close();
        // @end
        assertEquals(3, runs.get());
    }

    @Test
    void generator() {
        List<Integer> squares = new ArrayList<>();
        // @start region="generator"
        try (Generator<Integer> numbers = Stereotypes.def()
                .generator(
                        out -> {
                            for (int i = 1; true; i++) {
                                out.accept(i * i); // waits while 16 values are unread
                            }
                        },
                        GeneratorOptions.defaults().buffer(16))) {
            for (int square : numbers) {
                squares.add(square);
                if (square >= 100) {
                    break; // the close interrupts the code
                }
            }
        }
        // @end
        assertEquals(10, squares.size());
    }

    @Test
    void mapReduce() {
        // @start region="mapReduce"
        MapReduce<Integer> lengths = Stereotypes.def()
                .mapReduce(
                        Stream.of("one", "two", "three"),
                        (String word) -> word.length(), // up to 8 at a time; may block, and throw
                        0,
                        Integer::sum,
                        MapReduceOptions.defaults().parallelism(8));
        int sum = lengths.result().join();
        // @end
        assertEquals(11, sum);
    }
}
