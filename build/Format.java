import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.JavaFormatterOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Formats the Java sources below the working directory ("apply"), or fails if some are not formatted ("check"). */
public final class Format {
    private static final Formatter FORMATTER = Formatter.createFormatter(JavaFormatterOptions.builder()
            .style(JavaFormatterOptions.Style.PALANTIR)
            .build());

    /** Marks a file that the formatter cannot handle in reasonable time. */
    private static final String UNFORMATTED = "// not formatted: ";

    private Format() {}

    public static void main(String[] args) throws IOException {
        boolean apply = switch (args[0]) {
            case "apply" -> true;
            case "check" -> false;
            default -> throw new IllegalArgumentException("neither check nor apply: " + args[0]);
        };

        List<Path> unformatted = sources().parallelStream()
                .filter(file -> isUnformatted(file, apply))
                .toList();

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

    private static boolean isUnformatted(Path file, boolean apply) {
        try {
            String before = Files.readString(file);
            if (before.contains(UNFORMATTED)) {
                return false;
            }
            String after = FORMATTER.formatSourceAndFixImports(before);
            boolean unformatted = !after.equals(before);
            if (unformatted && apply) {
                Files.writeString(file, after);
            }
            return unformatted;
        } catch (FormatterException e) {
            throw new IllegalStateException("cannot read " + file, e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
