package io.fibry.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The folder of one run: raw results, and {@code run.json} with the machine card and the missing results with their
 * reasons. All data is written to disk after each fork, so that a killed run keeps its results.
 */
final class RunFolder {

    /** The line of the machine card with the restriction to certain benchmarks; absent if there is none. */
    static final String ONLY = "only";

    private static final String RUN = "run.json";
    private static final List<String> FILES =
            List.of(JmhTrial.FILE, NetTrial.FILE, LatencyTrial.FILE, SavinaTrial.FILE, DurableTrial.FILE);

    private final Path folder;
    private final Map<String, RawResults> results = new LinkedHashMap<>();
    private final Map<String, String> gaps = new LinkedHashMap<>();
    private final Map<String, Integer> discarded = new TreeMap<>();
    private Map<String, String> card = new LinkedHashMap<>();
    private boolean finished;

    private RunFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * Starts a new run. An unfinished run in the same folder is an error, because it can be resumed; a finished run is
     * replaced.
     */
    static RunFolder begin(Path folder, Map<String, String> card) throws IOException {
        if (Files.exists(folder.resolve(RUN)) && !open(folder).finished) {
            throw new IOException("An unfinished run is in " + folder
                    + ": go on with --resume, take another --name, or delete the folder.");
        }
        Files.createDirectories(folder);
        var run = new RunFolder(folder);
        for (String file : FILES) {
            Files.deleteIfExists(folder.resolve(file));
            run.results.put(file, new RawResults());
        }
        run.card = card;
        run.write();
        return run;
    }

    /** Resumes a run, and retries failed trials. The machine and the commit must be the same. */
    static RunFolder resume(Path folder, Map<String, String> card) throws IOException {
        RunFolder run = open(folder);
        for (String line : MachineCard.MUST_STAY) {
            if (!Objects.equals(card.get(line), run.card.get(line))) {
                throw new IOException("The run in " + folder + " cannot go on: " + line + " was " + run.card.get(line)
                        + " and is now " + card.get(line) + ". Start a new one.");
            }
        }
        run.gaps.clear();
        run.finished = false;
        run.write();
        return run;
    }

    /** Reads a run to report on it. */
    static RunFolder open(Path folder) throws IOException {
        if (!Files.exists(folder.resolve(RUN))) {
            throw new IOException("No run is in " + folder + ".");
        }
        var run = new RunFolder(folder);
        JsonNode root = RawResults.JSON.readTree(folder.resolve(RUN).toFile());
        root.path("machine")
                .properties()
                .forEach(e -> run.card.put(e.getKey(), e.getValue().asText()));
        root.path("gaps")
                .properties()
                .forEach(e -> run.gaps.put(e.getKey(), e.getValue().asText()));
        root.path("discarded")
                .properties()
                .forEach(e -> run.discarded.put(e.getKey(), e.getValue().asInt()));
        run.finished = root.path("finished").asBoolean();
        for (String file : FILES) {
            run.results.put(file, RawResults.read(folder.resolve(file)));
        }
        return run;
    }

    /** Returns the number of completed forks of the trial. */
    int forks(Trial trial) {
        return results(trial).forks(trial);
    }

    void add(Trial trial, JsonNode fork) throws IOException {
        results(trial).add(fork);
        results(trial).write(folder.resolve(trial.file()));
    }

    /** Records the reason for a missing result. The text remains with the trial, even if other forks succeed. */
    void gap(Trial trial, String why) throws IOException {
        gaps.put(trial.id(), why);
        write();
    }

    /** Removes the results of a trial, and records the reason. */
    void withdraw(Trial trial, String why) throws IOException {
        results(trial).remove(trial);
        results(trial).write(folder.resolve(trial.file()));
        gap(trial, why);
    }

    /** Counts a fork whose result was discarded, because the machine had stalled. */
    void discarded(Trial trial) throws IOException {
        discarded.merge(trial.id(), 1, Integer::sum);
        write();
    }

    /** Returns the number of discarded forks by {@link Trial#id()}. */
    Map<String, Integer> discarded() {
        return discarded;
    }

    void finish() throws IOException {
        finished = true;
        card = new LinkedHashMap<>(card);
        int stalls = discarded.values().stream().mapToInt(Integer::intValue).sum();
        card.put("forks discarded because the machine stalled", Integer.toString(stalls));
        DoubleSummaryStatistics roundTrips = figures().stream()
                .flatMap(figure -> figure.roundTrips().stream())
                .filter(Double::isFinite)
                .mapToDouble(Double::doubleValue)
                .summaryStatistics();
        if (roundTrips.getCount() > 0) {
            String range = "%.0f – %.0f ns".formatted(roundTrips.getMin(), roundTrips.getMax());
            card.put("round trip of a cache line between the processors", range);
        }
        write();
    }

    List<Figure> figures() {
        var figures = new ArrayList<Figure>();
        results.values().forEach(r -> figures.addAll(r.figures()));
        return figures;
    }

    /** Returns the missing results by {@link Trial#id()}, with their reasons. */
    Map<String, String> gaps() {
        return gaps;
    }

    Map<String, String> card() {
        return card;
    }

    boolean isRestricted() {
        return card.containsKey(ONLY);
    }

    Path path() {
        return folder;
    }

    private RawResults results(Trial trial) {
        return Objects.requireNonNull(results.get(trial.file()));
    }

    private void write() throws IOException {
        ObjectNode root = RawResults.JSON.createObjectNode();
        root.put("finished", finished);
        ObjectNode machine = root.putObject("machine");
        card.forEach(machine::put);
        ObjectNode missing = root.putObject("gaps");
        gaps.forEach(missing::put);
        ObjectNode stalled = root.putObject("discarded");
        discarded.forEach(stalled::put);
        RawResults.write(folder.resolve(RUN), root);
    }
}
