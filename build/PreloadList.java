import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Writes the list of classes that io.fibry.kernel.Preload loads: the API, the kernel and the dispatchers. */
final class PreloadList {

    private static final List<String> PACKAGES = List.of("", "kernel/", "dispatch/");

    /** Jmx needs a module that a runtime may lack; it is used at the start, if at all. */
    private static final Set<String> EXCLUDED = Set.of("kernel.Jmx", "kernel.Preload");

    /** Used by log lines. The other classes of its package need the module jdk.jfr. */
    private static final String PLAIN_TEXT = "flight.PlainText";

    /** The argument is the directory of the compiled classes. */
    public static void main(String[] args) throws IOException {
        Path root = Path.of(args[0], "io", "fibry");
        var names = new TreeSet<>(Set.of(PLAIN_TEXT));
        for (String directory : PACKAGES) {
            try (Stream<Path> files = Files.list(root.resolve(directory))) {
                files.map(file -> file.getFileName().toString())
                        .filter(file -> file.endsWith(".class") && !file.equals("package-info.class"))
                        .map(file -> directory.replace('/', '.') + file.substring(0, file.length() - ".class".length()))
                        .filter(name -> !EXCLUDED.contains(name))
                        .forEach(names::add);
            }
        }
        Files.writeString(root.resolve("kernel/preload.txt"), String.join("\n", names) + "\n");
    }
}
