import static java.util.stream.Collectors.joining;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * Writes the Javadoc of all modules on the class path: of the packages that they export to everybody. Some are named
 * modules and some are not, which javadoc does not mix, so it sees them as packages only.
 */
public final class Javadoc {
    private static final Pattern EXPORTED = Pattern.compile("(?m)^ *exports ([\\w.]+);");

    /** What programs never name: {@code ServiceLoader} finds it. */
    private static final Set<String> WITHOUT_API = Set.of("fibry-cluster-pekko");

    private Javadoc() {}

    public static void main(String[] args) throws IOException {
        Path target = Path.of(args[0]);
        String version = args[1];
        List<Path> modules = modules();
        checkThatNoneIsMissing(modules);

        List<String> options = new ArrayList<>(List.of(
                "-quiet",
                "-notimestamp",
                "-Werror",
                "-Xdoclint:all,-missing",
                "-encoding",
                "UTF-8",
                "-windowtitle",
                "fibry " + version,
                "-doctitle",
                "fibry " + version,
                "-d",
                target.toString(),
                "-classpath",
                System.getProperty("java.class.path"),
                "--snippet-path",
                paths(modules.stream().map(module -> module.resolve("src/test/java/io/fibry")))));
        for (Path module : modules) {
            List<Path> packages = packages(module);
            options.addAll(List.of("-group", module.getFileName().toString(), names(module, packages)));
            for (Path folder : packages) {
                options.addAll(sources(folder));
            }
        }
        int status = ToolProvider.findFirst("javadoc")
                .orElseThrow()
                .run(System.out, System.err, options.toArray(String[]::new));
        System.exit(status);
    }

    private static List<Path> modules() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(entry -> entry.endsWith("target/classes"))
                .map(entry -> entry.getParent().getParent())
                .filter(module -> Files.exists(root(module)))
                .toList();
    }

    private static void checkThatNoneIsMissing(List<Path> modules) throws IOException {
        try (var extensions = Files.newDirectoryStream(Path.of("../extensions").toRealPath())) {
            for (Path extension : extensions) {
                if (Files.exists(extension.resolve("src/main/java/io"))
                        && !modules.contains(extension)
                        && !WITHOUT_API.contains(extension.getFileName().toString())) {
                    throw new IllegalStateException(
                            "no Javadoc of " + extension + ": add it to the dependencies in site/pom.xml");
                }
            }
        }
    }

    /** The folders of the exported packages; of all packages, if the module has no name. */
    private static List<Path> packages(Path module) throws IOException {
        Path root = root(module);
        Path declaration = root.resolve("module-info.java");
        if (Files.exists(declaration)) {
            return EXPORTED.matcher(Files.readString(declaration))
                    .results()
                    .map(export -> root.resolve(export.group(1).replace('.', '/')))
                    .toList();
        }
        try (var files = Files.walk(root)) {
            return files.filter(file -> file.endsWith("package-info.java"))
                    .map(Path::getParent)
                    .toList();
        }
    }

    private static List<String> sources(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(Path::toString)
                    .filter(file -> file.endsWith(".java"))
                    .sorted()
                    .toList();
        }
    }

    private static String names(Path module, List<Path> packages) {
        return packages.stream()
                .map(folder -> root(module).relativize(folder).toString().replace(File.separatorChar, '.'))
                .collect(joining(":"));
    }

    private static Path root(Path module) {
        return module.resolve("src/main/java");
    }

    private static String paths(Stream<Path> paths) {
        return paths.map(Path::toString).collect(joining(File.pathSeparator));
    }
}
