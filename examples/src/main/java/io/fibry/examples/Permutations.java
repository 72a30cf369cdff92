package io.fibry.examples;

import io.fibry.generator.GeneratorOptions;
import io.fibry.stereotypes.Stereotypes;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A generator: recursive code yields the permutations of some letters. The reader takes the first three of possibly
 * millions; the close of the stream then ends the code. The argument is the letters, by default abcdefghij.
 * {@code mvn -q -pl examples -am compile exec:exec -Dexample=Permutations -Dargs="abc"}
 */
public final class Permutations {

    private Permutations() {}

    public static void main(String[] args) {
        String letters = args.length > 0 ? args[0] : "abcdefghij";
        var all = Stereotypes.def()
                .<String>generator(
                        out -> permute("", letters, out),
                        GeneratorOptions.defaults().buffer(10));
        try (var stream = all.stream()) {
            System.out.println(stream.limit(3).collect(Collectors.joining(" ")));
        }
    }

    private static void permute(String begin, String rest, Consumer<String> out) {
        if (rest.isEmpty()) {
            out.accept(begin);
        }
        for (int i = 0; i < rest.length(); i++) {
            permute(begin + rest.charAt(i), rest.substring(0, i) + rest.substring(i + 1), out);
        }
    }
}
