package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.ActorStoppedException;
import io.fibry.MailboxFullException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * The hand-over of messages between senders, stoppers and turns: turns never overlap, every accepted message is
 * handled, dropped or a dead letter, none is accepted after the stop, a stopped actor ends, and the order is kept:
 * messages are handled in the order of their arrival, and in a priority mailbox urgent messages precede others.
 *
 * <p>Seen to fail: {@link Mailbox#becomeIdle} that sets the word instead of comparing it; a turn that takes the mailbox
 * for empty and then checks whether it is closed, instead of the other way round; an offer that sees the idle state and
 * does not call {@link Mailbox#ready}; a segment that is not sealed; a sender that loses a place to the seal and tries
 * the next one.
 */
public abstract class MessageHandOver extends HandOver {

    static final int URGENT = 0;

    /** A message is a bit in a word; the urgent ones have the even bits. */
    private static final int ALL_URGENT = 0x5555_5555;

    /** A message, and all messages whose senders had returned before it was sent. */
    private record Message(int bit, int sentBefore) {
        boolean isUrgent() {
            return (bit & ALL_URGENT) != 0;
        }
    }

    private final boolean byUrgency;
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicInteger inHandler = new AtomicInteger();

    /** The messages that were accepted, or dropped according to the mailbox's policy, when their senders returned. */
    private final AtomicInteger sent = new AtomicInteger();

    // By the consumer.
    private int handled;
    private int overtaken;
    private int waiting;

    private final ActorCell<Message> actor = new ConsumerCell<>(kind, this::handle);

    MessageHandOver(ActorOptions options) {
        MailboxSpec mailbox = options.mailbox();
        byUrgency = mailbox != null && mailbox.order() != null;
        actor.setLifecycle(new Lifecycle(null, null, options, ActorMaker.mailbox(options.mailbox())));
    }

    /** For mailboxes in which the urgent messages come first. */
    static int compare(Object one, Object other) {
        return Boolean.compare(((Message) other).isUrgent(), ((Message) one).isUrgent());
    }

    @Override
    final ActorCell<?> actor() {
        return actor;
    }

    @Operation
    public void tell(@Param(gen = IntGen.class, conf = "0:1") int urgency) {
        var message = new Message(1 << (2 * numbers.getAndIncrement() + urgency), sent.get());
        try {
            actor.tell(message);
        } catch (ActorStoppedException refused) {
            expect(actor.lifecycleMode() != null, "refused as stopped, and nobody has stopped it");
            return;
        } catch (MailboxFullException refused) {
            expect(actor.boundedMailbox() != null, "full without a limit");
            return;
        }
        sent.accumulateAndGet(message.bit, (all, bit) -> all | bit);
    }

    @Override
    final void turnBegins() {
        waiting = sent.get() & ~handled;
    }

    private void handle(Message message) {
        expect(inHandler.incrementAndGet() == 1, "two handlers at a time");
        expect((handled & message.bit) == 0, "handled twice");
        expect((overtaken & message.bit) == 0, "comes after one that was sent later");
        boolean first = !byUrgency || message.isUrgent();
        expect(first || (waiting & ALL_URGENT) == 0, "comes before an urgent one that waits");
        handled |= message.bit;
        overtaken |= message.sentBefore & equallyUrgent(message) & ~handled;
        waiting = sent.get() & ~handled;
        inHandler.decrementAndGet();
    }

    private int equallyUrgent(Message message) {
        if (!byUrgency) {
            return -1;
        }
        return message.isUrgent() ? ALL_URGENT : ~ALL_URGENT;
    }

    @Validate
    public void everyMessageHasOneEnd() {
        finish();
        assertEquals(
                Integer.bitCount(sent.get()),
                Integer.bitCount(handled) + actor.lifecycle().discarded() + dropped());
    }
}
