package io.fibry;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.junit.jupiter.api.Test;

/**
 * The hand-over by way of a {@link WaitingRoom}, for each kind of it.
 *
 * <p>Seen to fail: a consumer that finds the room empty and says so a moment later; a close of the mailbox before the room.
 */
final class BoundedHandOverTest {

    private static ActorOptions withRoomForOne(Overflow overflow) {
        return HandOver.mailbox(MailboxSpec.bounded(1, overflow, null));
    }

    /** Refuses what it has no room for. */
    public static final class Fail extends MessageHandOver {

        /** For Lincheck. */
        public Fail() {
            super(withRoomForOne(Overflow.FAIL));
        }
    }

    /** Drops what it has no room for. */
    public static final class DropNewest extends MessageHandOver {

        /** For Lincheck. */
        public DropNewest() {
            super(withRoomForOne(Overflow.DROP_NEWEST));
        }
    }

    /** Drops what has waited longest. */
    public static final class DropOldest extends MessageHandOver {

        /** For Lincheck. */
        public DropOldest() {
            super(withRoomForOne(Overflow.DROP_OLDEST));
        }
    }

    /** Its senders wait for room. */
    public static final class Block extends MessageHandOver {

        /** For Lincheck. */
        public Block() {
            super(withRoomForOne(Overflow.BLOCK));
        }
    }

    /** Has an order and no limit. */
    public static final class Priority extends MessageHandOver {

        /** For Lincheck. */
        public Priority() {
            super(HandOver.mailbox(MailboxSpec.ordered(MessageHandOver::compare, null)));
        }
    }

    /** Has an order and a limit. */
    public static final class BoundedPriority extends MessageHandOver {

        /** For Lincheck. */
        public BoundedPriority() {
            super(HandOver.mailbox(
                    MailboxSpec.ordered(MessageHandOver::compare, MailboxSpec.bounded(2, Overflow.FAIL, null))));
        }
    }

    @Test
    void oneThatRefuses() {
        HandOver.scenarios(2, 150).check(Fail.class);
    }

    @Test
    void oneThatDropsTheNewest() {
        HandOver.scenarios(1, 120).check(DropNewest.class);
    }

    @Test
    void oneThatDropsTheOldest() {
        HandOver.scenarios(2, 150).check(DropOldest.class);
    }

    @Test
    void oneWithAnOrder() {
        HandOver.scenarios(2, 150).check(Priority.class);
    }

    @Test
    void oneWithAnOrderAndALimit() {
        HandOver.scenarios(1, 120).check(BoundedPriority.class);
    }

    /** In scenarios where somebody stops the actor without waiting for room, nobody may wait for ever. */
    @Test
    void oneThatHasItsSendersWait() {
        HandOver.scenarios(0, 80)
                .addCustomScenario(scenario("tell tell", "tell turn", "drain"))
                .addCustomScenario(scenario("tell tell", "turn tell", "turn discard"))
                .check(Block.class);
    }

    /** Each thread with the names of its operations. */
    private static ExecutionScenario scenario(String... threads) {
        List<List<org.jetbrains.kotlinx.lincheck.Actor>> all = Stream.of(threads)
                .map(thread -> Stream.of(thread.split(" ", -1))
                        .map(BoundedHandOverTest::operation)
                        .toList())
                .toList();
        return new ExecutionScenario(List.of(), all, List.of(), null);
    }

    private static org.jetbrains.kotlinx.lincheck.Actor operation(String name) {
        Method method = Stream.of(Block.class.getMethods())
                .filter(m -> m.getName().equals(name))
                .findFirst()
                .orElseThrow();
        List<Integer> arguments = method.getParameterCount() == 0 ? List.of() : List.of(MessageHandOver.URGENT);
        return new org.jetbrains.kotlinx.lincheck.Actor(method, arguments);
    }
}
