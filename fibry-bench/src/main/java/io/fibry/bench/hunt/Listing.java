package io.fibry.bench.hunt;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Formats a program as Java-like text. */
final class Listing {

    private Listing() {}

    static String of(Program program) {
        List<String> lines = new ArrayList<>();
        lines.add("// seed " + program.seed() + ": " + program.kept().cardinality() + " of "
                + program.all().size() + " steps; run it again:");
        lines.add("// mvn -q -pl fibry-bench -am compile exec:exec -Dbench=hunt.Hunt -Dargs=\"--seed " + program.seed()
                + " --keep " + program.keptText() + "\"");
        lines.add("var system = ActorSystem.create();");
        strand(program, Step.SETUP, lines, "");
        for (int strand : program.strands()) {
            lines.add((strand % 2 == 0 ? "Thread.ofVirtual()" : "Thread.ofPlatform()") + ".start(() -> {");
            strand(program, strand, lines, "    ");
            lines.add("});");
        }
        lines.add("// when the threads have ended, and at the latest " + program.closeAfter() + " after their start:");
        lines.add("system.close(Duration.parse(\"" + program.deadline() + "\"));");
        return String.join("\n", lines);
    }

    private static void strand(Program program, int strand, List<String> lines, String indent) {
        for (Step step : program.ofStrand(strand)) {
            lines.add(indent + line(program, step));
        }
    }

    private static String line(Program program, Step step) {
        return switch (step) {
            case Step.Start start -> start(program, start);
            case Step.Option option -> option.trait().code;
            case Step.Op op -> op(op);
        };
    }

    private static String start(Program program, Step.Start start) {
        String traits = program.traits(start.actor()).stream()
                .map(trait -> trait == Trait.NAMED ? "named(\"a" + start.actor() + "\")" : trait.code)
                .map(code -> "." + code)
                .collect(Collectors.joining());
        return "a" + start.actor() + " = system.actor()" + traits + "." + start.kind().method + "(..);";
    }

    private static String op(Step.Op op) {
        String actor = "a" + op.actor();
        String message = op.act() + (op.count() > 1 ? " × " + op.count() : "");
        return switch (op.verb()) {
            case TELL -> actor + ".tell(" + message + ");";
            case TRY_TELL -> actor + ".tryTell(" + message + ");";
            case TELL_ALL -> actor + ".tellAll(List.of(" + message + "));";
            case ASK -> actor + ".ask(" + message + ");";
            case ASK_TIMED -> actor + ".ask(" + message + ", 2 ms);";
            case ASK_REPLY_TO -> actor + ".ask(replyTo -> " + message + ", 60 s);";
            case CALL -> actor + ".ask(" + message + ").get();";
            case EXECUTE -> actor + ".execute(() -> {}" + (op.count() > 1 ? " × " + op.count() : "") + ");";
            case TELL_NEW_KEYS -> actor + ".ref(a new key).tell(" + message + ");";
            case FIND -> "spin until system.find(\"" + actor + "\") is present, then .tell(" + op.act() + ");";
            case EXPECT -> "system.findOrExpect(\"" + actor + "\", 3).tell(" + op.act() + ");";
            case SUBSCRIBE -> actor + ".subscribe(all other actors);";
            case STOP -> actor + ".stop();";
            case DISCARD, INTERRUPT -> actor + ".stop(StopMode." + op.verb() + ");";
            case STOP_BY_DEADLINE -> actor + ".stop(" + op.count() + " ms);";
            case CLOSE -> actor + ".close(" + op.count() + " ms);";
            case WAIT_FOR_EXIT -> actor + ".waitForExit(" + op.count() + " ms);";
            case END ->
                actor + ".end(" + op.count() % 4 + ") or .stop(\"a" + op.actor()
                        + (op.count() % 2 == 0 ? ".first" : ".second") + "\");";
            case START_AGAIN -> "if (" + actor + ".waitForExit(2 ms)) start " + actor + " again;";
            case DUMP -> "system.dump().toString();";
            case SLEEP -> String.format(Locale.ROOT, "Thread.sleep(%.1f ms);", op.count() / 10.0);
            case CLOSE_SYSTEM -> "system.close(" + 10 * op.count() + " ms);";
        };
    }
}
