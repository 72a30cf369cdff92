package io.fibry.state;

import io.fibry.ActorSystem;
import io.fibry.ReplyTo;
import io.fibry.ThreadStrategy;
import io.fibry.testing.NoLeftovers;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

/** Starts state machines of doors for tests. */
@ExtendWith(NoLeftovers.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
abstract class StateMachineFixture {

    static final Duration LONG = Duration.ofDays(1);

    enum Door {
        OPEN,
        CLOSED,
        LOCKED
    }

    enum Hand {
        PUSH,
        PULL
    }

    sealed interface Key permits Turn, Knock {}

    record Turn(int code, ReplyTo<String> done) implements Key {}

    record Knock() implements Key {}

    final ActorSystem system = ActorSystem.create();

    @AfterEach
    void close() {
        system.close();
    }

    <S, E> StateMachine<S, E> start(ThreadStrategy strategy, StateMachineSpec<S, E> spec) {
        return StateMachine.start(system.actor().strategy(strategy), spec);
    }
}
