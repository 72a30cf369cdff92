import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.JavaFormatterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Formats the Java sources below the working directory ("apply"), or fails if some are not formatted ("check"). */
public final class Format {
    private static final Formatter FORMATTER = Formatter.createFormatter(JavaFormatterOptions.builder()
            .style(JavaFormatterOptions.Style.PALANTIR)
            .build());

    /** Marks a file that the formatter cannot handle in reasonable time. */
    private static final String UNFORMATTED = "// not formatted: ";

    private Format() {}

    public static void main(String[] args) throws IOException, FormatterException {
        boolean apply = switch (args[0]) {
            case "apply" -> true;
            case "check" -> false;
            default -> throw new IllegalArgumentException("neither check nor apply: " + args[0]);
        };

        List<Path> unformatted = new ArrayList<>();
        for (Path file : sources()) {
            String before = Files.readString(file);
            if (before.contains(UNFORMATTED)) {
                continue;
            }
            String after = format(file, before);
            if (after.equals(before)) {
                continue;
            }
            unformatted.add(file);
            if (apply) {
                Files.writeString(file, after);
            }
        }

        unformatted.forEach(file -> System.out.println((apply ? "formatted " : "not formatted: ") + file));
        if (!apply && !unformatted.isEmpty()) {
            System.out.println("To format them: mvn -q -N verify -Dformat=apply");
            System.exit(1);
        }
    }

    private static List<Path> sources() throws IOException {
        try (var files = Files.walk(Path.of(""))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.toString().matches("(.*[/\\\\])?target[/\\\\].*"))
                    .sorted()
                    .toList();
        }
    }

    private static String format(Path file, String source) throws FormatterException {
        try {
            return FORMATTER.formatSourceAndFixImports(source);
        } catch (FormatterException e) {
            System.out.println("cannot read " + file);
            throw e;
        }
    }
}
