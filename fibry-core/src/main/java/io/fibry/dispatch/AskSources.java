package io.fibry.dispatch;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What an {@link AskStage} depends on: a {@link WeakReference} to an {@link AskFuture}, or an object of a class below.
 */
final class AskSources {

    /** The maximum number of stages to visit. */
    private static final int MOST = 10_000;

    private AskSources() {}

    /** Two sources, both of which have to complete. */
    record Both(Object first, Object second) {}

    /** A source of a stage that something else may complete, too, such as a timeout. */
    record Uncertain(Object source) {}

    /** The sources of a stage that the library completes, at a deadline at the latest. */
    record Group(List<? extends CompletableFuture<?>> members) {}

    /**
     * The function of a stage that depends on the stage that the function returns: on the first source until the
     * function has returned, then on the stage that it returned.
     *
     * <p><b>No wait is missed.</b> The function runs on the thread that completes the first source. It stores the stage
     * and then reads the wait; a waiting thread stores its wait and then reads the stage. All four accesses are
     * volatile: at least one of the two threads sees the store of the other, and searches for a cycle.
     */
    static final class Composition<A extends @Nullable Object, U extends @Nullable Object>
            implements Function<A, CompletionStage<U>> {

        private final Function<? super A, ? extends CompletionStage<U>> function;
        private volatile @Nullable WeakReference<AskFuture<?>> first;
        private volatile @Nullable WeakReference<AskFuture<?>> returned;

        /** The latest wait for a stage that depends on this one. */
        private volatile @Nullable AskWait wait;

        Composition(AskFuture<?> first, Function<? super A, ? extends CompletionStage<U>> function) {
            this.first = new WeakReference<>(first);
            this.function = function;
        }

        @Override
        public CompletionStage<U> apply(A value) {
            CompletionStage<U> stage = function.apply(value);
            first = null;
            if (stage instanceof AskFuture<?> future) {
                returned = new WeakReference<>(future);
                AskWait waiting = wait;
                if (waiting != null) {
                    wait = null;
                    waiting.changed();
                }
            }
            return stage;
        }

        /** The current source; null if it is unknown. Stores the wait first, if there is one. */
        @Nullable
        Object source(@Nullable AskWait newWait) {
            WeakReference<AskFuture<?>> second = returned;
            if (second == null && newWait != null) {
                wait = newWait;
                second = returned;
            }
            return second != null ? second : first;
        }
    }

    /** A source, and whether the stage cannot complete before it. */
    private record Source(Object what, boolean isNecessary) {}

    /** As {@link AskStage#forEachAsk}. Not recursive, since a chain of stages may have any length. */
    static void visit(AskStage<?> stage, @Nullable AskWait wait, AskStage.AskVisitor visitor) {
        Deque<Source> next = new ArrayDeque<>();
        next.add(new Source(stage, true));
        for (int seen = 0; seen < MOST && !next.isEmpty(); seen++) {
            Source source = next.remove();
            boolean isNecessary = source.isNecessary;
            switch (source.what) {
                case WeakReference<?> reference -> add(next, reference.get(), isNecessary);
                case Uncertain uncertain -> add(next, uncertain.source, false);
                case Composition<?, ?> composition -> add(next, composition.source(wait), isNecessary);
                case Group group -> group.members.forEach(member -> add(next, member, false));
                case Both both -> {
                    add(next, both.first, isNecessary);
                    add(next, both.second, isNecessary);
                }
                case AskStage<?> open -> add(next, open.source(), isNecessary);
                case AskFuture<?> ask -> visitor.ask(ask, isNecessary);
                default -> {} // a future that is not of this library
            }
        }
    }

    private static void add(Deque<Source> next, @Nullable Object what, boolean isNecessary) {
        if (what != null && !(what instanceof CompletableFuture<?> future && future.isDone())) {
            next.add(new Source(what, isNecessary));
        }
    }
}
