package io.fibry.testing;

import io.fibry.ActorBuilder;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.ThreadStrategy;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test of the kernel, with its own system, which is closed afterwards, and a timeout. */
@ExtendWith(NoLeftovers.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
public abstract class KernelTest {

    protected final ActorSystem system = ActorSystem.create();

    @AfterEach
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    protected void closeSystem() {
        system.close(Duration.ofSeconds(5));
    }

    protected final ActorBuilder<Object> actor(ThreadStrategy strategy) {
        return system.actor().strategy(strategy);
    }

    /** Kinds of mailboxes with room for the messages of a test; one of them sorts numbers. */
    protected static List<UnaryOperator<ActorBuilder<Object>>> mailboxes() {
        return List.of(
                builder -> builder,
                builder -> builder.bounded(1_000, Overflow.FAIL),
                builder -> builder.priority(Comparator.comparingInt(m -> m instanceof Integer n ? n : 0)));
    }
}
