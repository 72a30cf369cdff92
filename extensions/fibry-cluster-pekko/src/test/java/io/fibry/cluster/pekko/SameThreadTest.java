package io.fibry.cluster.pekko;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.Test;

class SameThreadTest {

    private final ExecutorService executor = SameThread.executor();
    private final List<String> order = new ArrayList<>();

    @Test
    void aTaskRunsAtOnceAndItsSubmittedTasksRunAfterIt() {
        executor.execute(() -> {
            executor.execute(() -> order.add("inner"));
            order.add("outer");
        });
        assertEquals(List.of("outer", "inner"), order);
    }

    @Test
    void aFailureKeepsNoOtherTaskFromRunning() {
        assertThrows(
                AssertionError.class,
                () -> executor.execute(() -> {
                    executor.execute(() -> order.add("inner"));
                    throw new AssertionError("as a thread of Pekko would fail");
                }));
        executor.execute(() -> order.add("next"));
        assertEquals(List.of("inner", "next"), order);
    }
}
