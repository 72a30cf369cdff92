package io.fibry.examples;

import io.fibry.mapreduce.MapReduce;
import io.fibry.mapreduce.MapReduceOptions;
import io.fibry.stereotypes.Stereotypes;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A map-reduce: loads many texts from a slow source, 50 at a time, and counts their words. The argument is the number
 * of texts, by default 2000. {@code mvn -q -pl examples -am compile exec:exec -Dexample=WordCount -Dargs="2000"}
 */
public final class WordCount {

    private WordCount() {}

    public static void main(String[] args) throws InterruptedException {
        int texts = args.length > 0 ? Integer.parseInt(args[0]) : 2_000;
        MapReduce<Map<String, Integer>> run = Stereotypes.def()
                .mapReduce(
                        IntStream.range(0, texts).boxed(),
                        WordCount::load,
                        new TreeMap<String, Integer>(),
                        WordCount::count,
                        MapReduceOptions.defaults().parallelism(50).maxFailures(10));
        while (!run.waitForExit(Duration.ofMillis(20))) {
            System.out.println(run.progress());
        }
        System.out.println(texts + " texts, " + run.failures().size() + " failed: "
                + run.result().join());
    }

    private static String load(int number) throws InterruptedException {
        Thread.sleep(Duration.ofMillis(number % 10)); // simulates a network
        return "to be or not to be";
    }

    /** Changes the map, which belongs to this run only. */
    private static Map<String, Integer> count(Map<String, Integer> counts, String text) {
        for (String word : text.split(" ", -1)) {
            counts.merge(word, 1, Integer::sum);
        }
        return counts;
    }
}
