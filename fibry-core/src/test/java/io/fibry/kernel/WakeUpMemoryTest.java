package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import io.fibry.Overflow;
import io.fibry.testing.Program;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Between the addition of a message to a bounded mailbox and its wake-up, no memory is allocated: if the heap were
 * exhausted there, the message would wait for a wake-up that never comes.
 */
@Timeout(300)
class WakeUpMemoryTest {

    /** Interpreted, since a compiler may remove an allocation in one method and not in the other. */
    @Test
    void aMessageThatDropsNoneNeedsNoMoreMemoryThanAnyOther() throws Exception {
        try (Program program = Program.startWith(List.of("-Xint"), Measured.class)) {
            assertEquals(0, program.awaitEnd(), program.log());
            assertEquals(List.of("0 bytes more"), program.lines());
        }
    }

    /** Prints the difference between a policy that drops messages and one that does not. */
    static final class Measured {

        private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

        public static void main(String[] args) {
            long more = bytesWith(Overflow.DROP_OLDEST) - bytesWith(Overflow.FAIL);
            System.out.println(more + " bytes more");
        }

        /** The second call counts; the first one loads classes. */
        private static long bytesWith(Overflow overflow) {
            BoundedMailbox mailbox = new LockedMailbox(new MailboxSpec(10, overflow, null));
            List<Envelope> group = List.of(new Envelope("message", null));
            Consumer<Envelope> dropped = message -> {};
            long bytes = 0;
            for (int i = 0; i < 2; i++) {
                long before = THREADS.getCurrentThreadAllocatedBytes();
                Object unused = mailbox.tryAddAll(group, dropped);
                bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
                mailbox.poll();
            }
            return bytes;
        }
    }
}
