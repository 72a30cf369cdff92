package io.fibry.batch;

import io.fibry.ActorSystem;
import io.fibry.testing.NoLeftovers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/** A system, and the batches that have been handled. */
@ExtendWith(NoLeftovers.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
abstract class BatcherCase {

    static final Duration LONG = Duration.ofDays(1);

    final ActorSystem system = ActorSystem.create();
    final List<List<Integer>> batches = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        system.close();
    }
}
