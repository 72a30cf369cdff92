package io.fibry.kernel;

import io.fibry.ReplyActor;
import io.fibry.ReplyContext;
import io.fibry.ReplyTo;
import io.fibry.ThrowingConsumer;
import io.fibry.ThrowingFunction;
import io.fibry.dispatch.LogText;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The context of an actor that replies. */
final class FunctionContext<M, R extends @Nullable Object> extends CellContext<M, ThrowingFunction<M, R>>
        implements ReplyContext<M, R> {

    private final FunctionCell<M, R> self;
    private @Nullable Function<ReplyContext<M, R>, ThrowingFunction<M, R>> factory; // null after the end

    /** The reply to the current message, if it is deferred. Consumer only. */
    private @Nullable Reply<R> deferred;

    FunctionContext(
            FunctionCell<M, R> self, int stashLimit, Function<ReplyContext<M, R>, ThrowingFunction<M, R>> factory) {
        super(self, stashLimit);
        this.self = self;
        this.factory = factory;
    }

    @Override
    @Nullable
    ThrowingFunction<M, R> make() {
        return Objects.requireNonNull(factory).apply(this);
    }

    @Override
    void releaseBehavior() {
        behavior = new EndedBehavior<>(EndedBehavior.typeOf(behavior, this));
        factory = null;
    }

    @Override
    void done() {
        super.done();
        deferred = null;
    }

    @Override
    public void stash() {
        current("stash");
        if (deferred != null && deferred.isOpen()) {
            throw new IllegalStateException("actor " + LogText.plain(self.name())
                    + " has deferred the reply to this message, and cannot stash it");
        }
        super.stash();
    }

    /** The behavior's result; {@link Reply#NOT_YET} if the message is stashed or its reply is deferred. */
    @Nullable
    Object resultOr(@Nullable Object result) {
        return isStashed() || deferred != null ? Reply.NOT_YET : result;
    }

    @Override
    public ReplyActor<M, R> self() {
        return self;
    }

    @Override
    public void become(ThrowingConsumer<M> behavior) {
        throw new IllegalStateException("actor " + LogText.plain(self.name()) + " replies; use becomeWithReturn");
    }

    @Override
    public void becomeWithReturn(ThrowingFunction<M, R> behavior) {
        become("becomeWithReturn", behavior);
    }

    @Override
    public ReplyTo<R> deferReply() {
        Envelope current = current("deferReply");
        if (isStashed()) {
            throw new IllegalStateException("actor " + LogText.plain(self.name())
                    + " has stashed this message, which defers its reply already");
        }
        Reply<R> d = deferred;
        if (d == null) {
            d = replyTo(current);
            deferred = d;
        }
        return d;
    }

    @SuppressWarnings("unchecked") // the replies of this actor's asks are of its type
    private Reply<R> replyTo(Envelope current) {
        Reply<?> asked = current.reply;
        if (asked == null || !current.isAsk() || asked.isInMessage()) {
            return Reply.toNobody();
        }
        self.lifecycle().rareState().deferred().add(self, asked);
        asked.isDeferred();
        return (Reply<R>) asked;
    }
}
