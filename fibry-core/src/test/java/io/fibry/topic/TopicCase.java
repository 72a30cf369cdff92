package io.fibry.topic;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.testing.NoLeftovers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/** A system, and subscribers that record their messages. */
@ExtendWith(NoLeftovers.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
abstract class TopicCase {

    static final TopicOptions DEFAULTS = TopicOptions.defaults();

    final ActorSystem system = ActorSystem.create();

    @AfterEach
    void close() {
        system.close();
    }

    <M> LocalTopic<M> topic(ThreadStrategy strategy, TopicOptions options) {
        return LocalTopic.start(system.actor().strategy(strategy), options);
    }

    /** Records its messages. It is slow until it is released. */
    final class Reader {
        final List<Integer> seen = new CopyOnWriteArrayList<>();
        final CountDownLatch at = new CountDownLatch(1);
        final CountDownLatch go;
        final Actor<Integer> actor;

        Reader(ThreadStrategy strategy, boolean slow) {
            this(system.actor().strategy(strategy), slow);
        }

        Reader(io.fibry.ActorBuilder<Object> builder, boolean slow) {
            go = new CountDownLatch(slow ? 1 : 0);
            actor = builder.newActor(n -> {
                at.countDown();
                go.await();
                seen.add(n);
            });
        }

        void awaitCount(int n) {
            TopicCase.awaitCount(n, seen);
        }
    }

    static void awaitCount(int n, List<?> seen) {
        await().atMost(Duration.ofSeconds(30)).until(() -> seen.size() >= n);
        assertEquals(n, seen.size());
    }

    static List<Integer> upTo(int n) {
        return IntStream.range(0, n).boxed().toList();
    }
}
