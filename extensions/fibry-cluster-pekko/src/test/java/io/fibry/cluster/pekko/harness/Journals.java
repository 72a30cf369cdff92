package io.fibry.cluster.pekko.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fibry.cluster.pekko.harness.Entry.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The journals of all nodes of a run.
 *
 * @param entries in chronological order
 */
public record Journals(List<Entry> entries, List<Fault> faults) {

    /** Reads all files of a folder. */
    public static Journals read(Path folder) throws IOException {
        List<Entry> entries = new ArrayList<>();
        List<Fault> faults = new ArrayList<>();
        for (Path file : files(folder, ".journal")) {
            for (String line : lines(file)) {
                entries.add(Entry.parse(line));
            }
        }
        for (Path file : files(folder, ".faults")) {
            lines(file).forEach(line -> faults.add(Fault.parse(line)));
        }
        entries.sort(Comparator.comparingLong(Entry::time));
        return new Journals(entries, faults);
    }

    /** Returns the complete lines: a process may have been killed during the last write, or may still be writing. */
    private static List<String> lines(Path file) throws IOException {
        String text = Files.readString(file, UTF_8);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    private static List<Path> files(Path folder, String suffix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
        }
    }

    public Report check() {
        return JournalChecker.check(entries, faults);
    }

    /**
     * Returns the longest time between two consecutive messages of an entity with one of these keys, within a period.
     */
    public Duration longestPause(Predicate<String> keys, long from, long to) {
        Map<String, Long> latest = new HashMap<>();
        long longest = 0;
        for (Entry entry : entries) {
            if (entry.kind() == Kind.HANDLE && entry.time() >= from && entry.time() <= to && keys.test(entry.key())) {
                Long before = latest.put(entry.key(), entry.time());
                longest = Math.max(longest, before == null ? 0 : entry.time() - before);
            }
        }
        return Duration.ofNanos(longest);
    }

    /** Returns the node of the last message of each key before this time. */
    public Map<String, String> ownersAt(long time) {
        Map<String, String> owners = new HashMap<>();
        for (Entry entry : entries) {
            if (entry.kind() == Kind.HANDLE && entry.time() <= time) {
                owners.put(entry.key(), entry.node());
            }
        }
        return owners;
    }
}
