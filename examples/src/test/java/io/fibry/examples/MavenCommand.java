package io.fibry.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A command for Maven. It is not executed, because most commands take minutes. Its modules, profiles, properties,
 * goals, programs and tests must exist.
 */
final class MavenCommand {

    private static final Set<String> FLAGS = Set.of("-q", "-am", "-N", "-o", "-B", "-ntp", "-U", "-e");
    private static final Set<String> GOALS =
            Set.of("clean", "validate", "compile", "test-compile", "test", "package", "verify", "install", "exec:exec");

    /** Properties of the plugins themselves. */
    private static final Set<String> OF_PLUGINS = Set.of("test", "skipTests", "jvm", "exec.mainClass");

    private static final String MAY_BE_ELSEWHERE = "surefire.failIfNoSpecifiedTests";

    private final List<String> faults = new ArrayList<>();
    private final Map<String, String> properties = new HashMap<>();
    private final List<String> goals = new ArrayList<>();
    private final List<String> profiles = new ArrayList<>();
    private List<String> modules = List.of();
    private Path project = Markdown.PROJECT;
    private boolean withUpstream;

    private MavenCommand(Command command) {
        List<String> words = command.words();
        for (int i = words.indexOf("mvn") + 1; i < words.size(); i++) {
            String word = words.get(i);
            if (word.startsWith("-D")) {
                String[] property = word.substring(2).split("=", 2);
                properties.put(property[0], property.length > 1 ? property[1] : "true");
            } else if (word.startsWith("-P")) {
                profiles.add(word.length() > 2 ? word.substring(2) : words.get(++i));
            } else if (word.equals("-pl")) {
                modules = List.of(words.get(++i).split(","));
            } else if (word.equals("-f")) {
                project = Markdown.PROJECT.resolve(words.get(++i)).getParent();
            } else if (word.startsWith("-")) {
                withUpstream |= word.equals("-am");
                check(FLAGS.contains(word), "unknown option " + word);
            } else {
                goals.add(word);
            }
        }
    }

    /** Returns the faults of the command. */
    static List<String> faultsOf(Command command) throws IOException {
        var maven = new MavenCommand(command);
        maven.check();
        return maven.faults;
    }

    private void check(boolean condition, String fault) {
        if (!condition) {
            faults.add(fault);
        }
    }

    private void check() throws IOException {
        String builds = "";
        for (Path folder : folders()) {
            check(Files.exists(folder.resolve("pom.xml")), "no module in " + folder);
            builds += Files.exists(folder.resolve("pom.xml")) ? Files.readString(folder.resolve("pom.xml")) : "";
        }
        check(!goals.isEmpty(), "no goal");
        for (String goal : goals) {
            check(GOALS.contains(goal), "unknown goal " + goal);
        }
        String executes = isOfThisBuild() ? "<exec.skip>false" : "exec-maven-plugin";
        check(!goals.contains("exec:exec") || builds.contains(executes), "nothing to execute");
        for (String profile : profiles) {
            check(builds.contains("<id>" + profile + "</id>"), "no profile " + profile);
        }
        for (String name : properties.keySet()) {
            boolean isKnown = Stream.of("${" + name + "}", "<" + name + ">", "<name>" + name + "</name>")
                    .anyMatch(builds::contains);
            check(isKnown || OF_PLUGINS.contains(name), "no property " + name);
        }
        checkTests();
        if (goals.contains("exec:exec") && isOfThisBuild()) {
            checkProgram();
        }
    }

    private boolean isOfThisBuild() {
        return project.equals(Markdown.PROJECT);
    }

    /** Returns the folders of the builds that take part, including the parent, without upstream modules. */
    private List<Path> folders() throws IOException {
        Stream<String> selected = modules.stream();
        if (modules.isEmpty() && Files.exists(project.resolve("pom.xml"))) {
            selected = Pattern.compile("<module>(.*)</module>")
                    .matcher(Files.readString(project.resolve("pom.xml")))
                    .results()
                    .map(module -> module.group(1));
        }
        return Stream.concat(Stream.of(project), selected.map(project::resolve)).toList();
    }

    private void checkTests() throws IOException {
        String tests = properties.get("test");
        if (tests == null) {
            return;
        }
        if (withUpstream && !modules.equals(List.of("fibry-core"))) {
            check(properties.containsKey(MAY_BE_ELSEWHERE), "stops at a module without such a test");
            for (Path build : Command.files(".*pom\\.xml")) {
                check(!Files.readString(build).contains("<failIfNoTests>true"), "stops at " + build);
            }
        }
        for (String test : tests.split(",", -1)) {
            String path = (test.contains(".") ? "" : "(.*/)?")
                    + test.replace("!", "").replace(".", "/").replace("*", "[^/]*");
            boolean exists = false;
            for (String module : modules) {
                exists |= exists(project.resolve(module).resolve("src/test"), "(java|kotlin)/" + path + "\\.(java|kt)");
            }
            check(exists, "no test " + test);
        }
    }

    private static boolean exists(Path folder, String regex) throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.anyMatch(file -> folder.relativize(file).toString().matches(regex));
        }
    }

    private void checkProgram() throws IOException {
        boolean isExample = modules.contains("examples");
        if (!isExample && !modules.contains("fibry-bench")) {
            return;
        }
        String bench = properties.get("bench");
        String program = isExample ? "examples/" + properties.getOrDefault("example", "Tour") : "bench/" + bench;
        String file = "(java|kotlin)/io/fibry/" + program.replace('.', '/') + "\\.(java|kt)";
        Path sources = project.resolve(isExample ? "examples/src/main" : "fibry-bench/src/main");
        if (isExample || bench != null) {
            check(exists(sources, file), "no program " + program);
        }
        String arguments = properties.getOrDefault("args", "");
        if (program.equals("bench/report.Report")) {
            checkReport(arguments, sources);
        } else if (!isExample && bench == null) { // JMH
            checkBenchmark(arguments.split(" ", -1)[0], sources);
            check(
                    arguments.matches("\\S+( -(p \\w+=[\\w,]+|f \\d+|prof \\S+|jvmArgsAppend \\S+))*"),
                    "JMH: " + arguments);
        }
    }

    private void checkReport(String arguments, Path sources) throws IOException {
        String usage = Files.readString(sources.resolve("java/io/fibry/bench/report/Report.java"));
        String[] words = arguments.split(" ", -1);
        check(usage.contains("\n          " + words[0] + " "), "no report " + words[0]);
        for (int i = 1; i < words.length; i++) {
            if (words[i].startsWith("--")) {
                check(usage.contains("\n          " + words[i] + " "), "no option " + words[i]);
            } else if (words[i - 1].equals("--only")) {
                checkBenchmark(words[i], sources);
            }
        }
    }

    /** A class, or a method of a class, with or without its package. */
    private void checkBenchmark(String name, Path sources) throws IOException {
        String type = name.replaceFirst("^.*?([A-Z]\\w*).*$", "$1");
        String method = name.replaceFirst("^.*?[A-Z]\\w*\\.?", "");
        try (Stream<Path> files = Files.walk(sources)) {
            List<Path> found = files.filter(
                            file -> file.getFileName().toString().matches(type + "\\.(java|kt)"))
                    .toList();
            check(found.size() == 1, "no benchmark " + type);
            for (Path file : found) {
                check(method.isEmpty() || Files.readString(file).matches("(?s).*\\b" + method + "\\b.*"), "no " + name);
            }
        }
    }
}
