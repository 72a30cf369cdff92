package io.fibry.tool;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * The main class of the jar. {@code java -jar fibry-core.jar dump PID} prints the dumps of the systems in a running JVM
 * that are registered for JMX.
 */
final class DumpCommand {

    private static final String USAGE = """
        usage: java -jar fibry-core.jar dump [--json] PID
        Prints the dump of each actor system of a Java process that is registered for JMX, by SystemOptions.jmx(true)
        or -Dio.fibry.jmx=true. jcmd lists the processes.
          --json   one JSON object in a line for each system
        exit status: 0 success, 1 failure while reading, 2 wrong arguments, 3 no such Java process,
          4 process of another user, 5 no system that is registered for JMX, 6 a module of the JDK is missing
        """;

    private DumpCommand() {}

    public static void main(String[] arguments) {
        var out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, UTF_8); // regardless of the locale
        ExitStatus status = run(List.of(arguments), out, System.err);
        out.flush();
        System.exit(status.code()); // threads of the connection may remain
    }

    static ExitStatus run(List<String> arguments, PrintStream out, PrintStream err) {
        if (arguments.equals(List.of("--help")) || arguments.equals(List.of("help"))) {
            out.print(USAGE);
            return ExitStatus.SUCCESS;
        }
        try {
            List<String> rest = new ArrayList<>(arguments);
            if (rest.isEmpty() || !rest.removeFirst().equals("dump")) {
                throw new CommandException(ExitStatus.ARGUMENTS, "the first argument has to be dump");
            }
            boolean json = rest.remove("--json");
            long pid = pid(rest);
            for (String dump : dumps(pid, json)) {
                out.println(dump.stripTrailing());
            }
            return ExitStatus.SUCCESS;
        } catch (CommandException e) {
            err.println("fibry: " + e.getMessage());
            if (e.status() == ExitStatus.ARGUMENTS) {
                err.print(USAGE);
            }
            return e.status();
        }
    }

    private static long pid(List<String> arguments) throws CommandException {
        if (arguments.size() != 1) {
            throw new CommandException(ExitStatus.ARGUMENTS, "exactly one process id is required after dump");
        }
        String text = arguments.getFirst();
        if (!text.matches("[1-9]\\d{0,9}")) {
            throw new CommandException(
                    ExitStatus.ARGUMENTS, "'" + text + "' is no process id; jcmd lists the processes");
        }
        return Long.parseLong(text);
    }

    private static List<String> dumps(long pid, boolean json) throws CommandException {
        try {
            return RemoteSystems.dumps(pid, json);
        } catch (NoClassDefFoundError e) { // loaded here, since this runtime may lack their modules
            throw new CommandException(
                    ExitStatus.MODULE,
                    "this Java runtime lacks the modules jdk.attach or java.management.rmi (" + e.getMessage()
                            + "); run the command with the java of a JDK");
        }
    }
}
