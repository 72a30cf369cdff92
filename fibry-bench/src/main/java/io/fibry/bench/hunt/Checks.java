package io.fibry.bench.hunt;

import io.fibry.SystemStats;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** The checks after the close of a system. */
final class Checks {

    private final World world;
    private final Ledger ledger;

    Checks(World world) {
        this.world = world;
        ledger = world.ledger;
    }

    void run() throws InterruptedException {
        if (!asks()) {
            return;
        }
        ends();
        registry();
        names();
        messages();
        if (ledger.problems.isEmpty() && !eventually(() -> counterProblems().isEmpty())) {
            ledger.problems.addAll(counterProblems());
        }
    }

    /** Returns whether all asks are complete. */
    boolean asks() throws InterruptedException {
        for (Message message : ledger.messages) {
            CompletableFuture<?> ask = message.ask;
            if (ask != null && !eventually(ask::isDone)) {
                ledger.problem("open ask", message + " is not complete after the close");
                return false;
            }
            if (message.replies.get() > 1) {
                ledger.problem("two replies", message.toString());
            }
        }
        return true;
    }

    private void ends() throws InterruptedException {
        for (Ledger.End end : ledger.ends) {
            if (end.required() && !eventually(end.exit()::isDone)) {
                ledger.problem("no end", end.actor() + " has not ended after the close");
                return;
            }
        }
    }

    private void registry() throws InterruptedException {
        if (!eventually(() -> world.system.dump().totals().actors() == 0)) {
            ledger.problem("left in the registry", world.system.dump().toString());
        }
        if (!eventually(() -> world.system.dump().totals().workers() == 0)) {
            ledger.problem("left worker", world.system.dump().toString());
        }
    }

    private void names() {
        for (int actor = 0; actor < world.program.actors(); actor++) {
            if (world.system.find(world.name(actor)).isPresent()) {
                ledger.problem("left name", world.name(actor));
            }
        }
    }

    // ---- messages

    private void messages() throws InterruptedException {
        long inEnvelopes = 0;
        for (Message message : ledger.messages) {
            int ends = message.handled.get() + message.dead.get();
            if (isCopied(message)) {
                continue;
            }
            if (ends > 1) {
                ledger.problem("two ends", message.toString());
            } else if (ends == 1 && message.sent == Message.Sent.NO_ROOM) {
                ledger.problem("handled although refused", message.toString());
            } else if (ends == 0 && message.sent == Message.Sent.ACCEPTED && message.ask == null && !mayDrop(message)) {
                if (kind(message.to) == Kind.POOL && ++inEnvelopes <= ledger.deadEnvelopes.sum()) {
                    continue;
                }
                // an executor may run the last turn of its actor later
                if (!eventually(() -> message.handled.get() + message.dead.get() > 0)) {
                    ledger.problem(
                            "lost message", message + "; it was accepted, and neither handled nor a dead letter");
                    return;
                }
            }
        }
    }

    private boolean mayDrop(Message message) {
        return Starter.drops(world.program.traits(message.to));
    }

    /** Returns whether a topic may deliver the message to several actors. */
    private boolean isCopied(Message message) {
        return kind(message.to) == Kind.TOPIC;
    }

    private Kind kind(int actor) {
        for (Step step : world.program.steps()) {
            if (step instanceof Step.Start start && start.actor() == actor) {
                return start.kind();
            }
        }
        return Kind.ACTOR;
    }

    /** The counters of the system are exact if it has single actors only: features send additional messages. */
    private List<Problem> counterProblems() {
        for (Step step : world.program.steps()) {
            if (step instanceof Step.Start start && !start.kind().isSingle()) {
                return List.of();
            }
        }
        long handled = 0;
        long others = 0;
        for (Message message : ledger.messages) {
            handled += message.handled.get();
            boolean sent = message.sent != Message.Sent.NO_ROOM && message.handled.get() + message.dead.get() == 0;
            others += sent ? 1 : 0;
        }
        SystemStats counters = world.system.stats();
        List<Problem> problems = new ArrayList<>();
        check("handled", handled, counters.handledBySource().sent(), problems);
        check("dead letters", ledger.dead.sum(), counters.dead(), problems);
        check("refused and dropped", others, counters.refused() + counters.dropped(), problems);
        return problems;
    }

    private static void check(String name, long expected, long counted, List<Problem> problems) {
        if (expected != counted) {
            problems.add(new Problem("counters", name + ": " + expected + ", but the counter is " + counted));
        }
    }

    private boolean eventually(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + world.patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            Thread.sleep(1);
        }
        return true;
    }
}
