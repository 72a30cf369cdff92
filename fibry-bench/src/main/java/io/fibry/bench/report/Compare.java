package io.fibry.bench.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Compares two result files of JMH, and prints the significant changes. It compares the values of the forks by
 * {@link Statistics#ratio}, with a confidence of 99 %: one of a hundred unchanged rows appears as changed. The machine
 * may also differ between two runs, so consider the peers, whose code has not changed.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dbench=report.Compare -Dargs="before.json
 * after.json"}; relative paths start in {@code fibry-bench}. The exit status is 0 if nothing of ours is worse, 1 if
 * something is, and 2 if the files cannot be compared.
 */
final class Compare {

    private static final double LEVEL = 0.99;

    private Compare() {}

    public static void main(String[] args) {
        if (args.length != 2) {
            System.err.println("Usage: BEFORE AFTER: two JSON files of JMH, such as results/full/jmh.json");
            System.exit(2);
        }
        try {
            System.exit(compare(read(args[0]), read(args[1]), System.out) ? 1 : 0);
        } catch (IOException e) {
            System.err.println(e.getMessage());
            System.exit(2);
        }
    }

    private static List<Figure> read(String file) throws IOException {
        if (!Files.isRegularFile(Path.of(file))) {
            throw new IOException("There is no file " + Path.of(file).toAbsolutePath());
        }
        return RawResults.read(Path.of(file)).figures().stream()
                .filter(figure -> !figure.question().metric().equals(Question.WAKE_UPS)) // many are near zero
                .toList();
    }

    /** Prints a line for each figure, and returns whether a figure of this library became worse. */
    static boolean compare(List<Figure> before, List<Figure> after, PrintStream out) {
        Map<String, Figure> old = byName(before);
        Map<String, Figure> now = byName(after);
        var others = new ArrayList<Double>();
        var verdicts = new EnumMap<Change.Verdict, Integer>(Change.Verdict.class);
        boolean worse = false;
        for (var entry : now.entrySet()) {
            Figure then = old.remove(entry.getKey());
            if (then == null) {
                out.println("only in the second: " + entry.getKey());
                continue;
            }
            Change change = Change.of(then, entry.getValue(), LEVEL);
            verdicts.merge(change.verdict(), 1, Integer::sum);
            out.printf(Locale.ROOT, "%-12s %s  %s%n", change.verdict(), change.text(), entry.getKey());
            boolean ours = entry.getValue().peer().isEmpty()
                    || PeerNames.isOurs(entry.getValue().peer());
            worse |= ours && change.verdict() == Change.Verdict.WORSE;
            if (!ours && Double.isFinite(change.ratio().estimate())) {
                others.add(change.ratio().estimate());
            }
        }
        old.keySet().forEach(name -> out.println("only in the first: " + name));
        if (!others.isEmpty()) {
            out.printf(
                    Locale.ROOT,
                    "The costs of the peers, whose code did not change, are %.2f times those before (median): the"
                            + " machine.%n",
                    Statistics.median(others));
        }
        sumUp(verdicts, out);
        return worse;
    }

    private static void sumUp(Map<Change.Verdict, Integer> verdicts, PrintStream out) {
        int all = verdicts.values().stream().mapToInt(Integer::intValue).sum();
        int tooFew = verdicts.getOrDefault(Change.Verdict.TOO_FEW, 0);
        int unknown = verdicts.getOrDefault(Change.Verdict.UNKNOWN, 0);
        out.printf(
                Locale.ROOT,
                "%d rows could be judged; %d had too few forks, %d have units that cannot be compared.%n",
                all - tooFew - unknown,
                tooFew,
                unknown);
    }

    private static Map<String, Figure> byName(List<Figure> figures) {
        var byName = new LinkedHashMap<String, Figure>();
        for (Figure figure : figures) {
            Question question = figure.question();
            String params = question.params().isEmpty() ? "" : " " + question.params();
            String metric = question.metric().isEmpty() ? "" : ", " + question.metric();
            String peer = figure.peer().isEmpty() ? "" : ", " + figure.peer();
            byName.put(question.name() + params + metric + peer, figure);
        }
        return byName;
    }
}
