package io.fibry.bench.durable;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fibry.bench.net.Programs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server with the default settings, of the programs that are installed, in a directory of its own and on a
 * free port of the loopback address. Each commit waits for the disk. The server stops at the end of this process at the
 * latest.
 */
public final class PostgresServer implements AutoCloseable {

    private static final String USER = "fibry";
    private static final String OTHER_USER = "nobody"; // PostgreSQL does not run as root
    private static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));
    private static final Path DEBIAN = Path.of("/usr/lib/postgresql");

    private final Path programs;
    private final Path directory;
    private final Thread atExit = new Thread(this::stop);

    private PostgresServer(Path programs, Path directory) {
        this.programs = programs;
        this.directory = directory;
    }

    /** Returns a sentence with the missing programs and their installation, or null if none is missing. */
    public static @Nullable String missing() {
        return programs() == null
                ? "PostgreSQL is not installed: no initdb on the PATH, nor in /usr/lib/postgresql/*/bin; install the"
                        + " Debian package postgresql"
                : null;
    }

    /** Returns the version, or a text about the missing programs. */
    public static String version() throws IOException, InterruptedException {
        Path programs = programs();
        return programs == null
                ? "is missing"
                : Programs.run(List.of(programs.resolve("postgres").toString(), "--version"))
                        .strip();
    }

    /**
     * Starts a server.
     *
     * @throws IOException if PostgreSQL is not installed or does not start
     */
    public static PostgresServer start() throws IOException, InterruptedException {
        Path programs = programs();
        if (programs == null) {
            throw new IOException(missing());
        }
        var server = new PostgresServer(programs, Files.createTempDirectory("fibry-postgres"));
        boolean started = false;
        try {
            server.begin();
            started = true;
            return server;
        } finally {
            if (!started) {
                server.close();
            }
        }
    }

    private static @Nullable Path programs() {
        Stream<Path> path = Arrays.stream(
                        System.getenv().getOrDefault("PATH", "").split(":"))
                .map(Path::of);
        try (Stream<Path> versions = Files.isDirectory(DEBIAN) ? Files.list(DEBIAN) : Stream.empty()) {
            return Stream.concat(
                            path,
                            versions.map(version -> version.resolve("bin")).sorted(Comparator.reverseOrder()))
                    .filter(bin ->
                            Files.isExecutable(bin.resolve("initdb")) && Files.isExecutable(bin.resolve("pg_ctl")))
                    .findFirst()
                    .orElse(null);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Returns the file that {@link DurableProgram} needs. */
    public Path connection() {
        return directory.resolve("connection.properties");
    }

    private Path data() {
        return directory.resolve("data");
    }

    private void begin() throws IOException, InterruptedException {
        Runtime.getRuntime().addShutdownHook(atExit);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        String password = UUID.randomUUID().toString();
        Files.createDirectory(data());
        Path passwordFile = Files.writeString(Files.createTempFile(directory, "password", ""), password);
        if (IS_ROOT) {
            var other =
                    directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(OTHER_USER);
            Files.setOwner(data(), other);
            Files.setOwner(passwordFile, other);
        }
        run("initdb", "-U", USER, "-A", "scram-sha-256", "--pwfile", passwordFile.toString(), "-E", "UTF8");
        int port = freePort();
        run("pg_ctl", "-w", "-l", data().resolve("log").toString(), "-o", options(port), "start");
        long process = Long.parseLong(
                Files.readAllLines(data().resolve("postmaster.pid")).getFirst());
        Path connection = Files.createFile(
                connection(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        new Database.Postgres("jdbc:postgresql://127.0.0.1:" + port + "/postgres", USER, password, process)
                .write(connection);
    }

    private static String options(int port) {
        return "-h 127.0.0.1 -p " + port
                + " -c unix_socket_directories= -c fsync=on -c synchronous_commit=on -c full_page_writes=on";
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void run(String program, String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        if (IS_ROOT) {
            command.addAll(List.of("runuser", "-u", OTHER_USER, "--"));
        }
        command.addAll(List.of(programs.resolve(program).toString(), "-D", data().toString()));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(directory, "output", "");
        Process process = new ProcessBuilder(command)
                .directory(Path.of("/").toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile()) // not a pipe: the server would keep it open
                .start();
        if (process.waitFor() != 0) {
            throw new IOException(
                    program + " failed: " + Files.readString(output, UTF_8).strip());
        }
    }

    /** Stops the server, and deletes all of it. */
    @Override
    public void close() {
        stop();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            System.err.println("the JVM ends already: " + e);
        }
    }

    private void stop() {
        try {
            if (Files.exists(data().resolve("postmaster.pid"))) {
                run("pg_ctl", "-m", "immediate", "-w", "stop");
            }
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        } catch (IOException e) {
            System.err.println("the server does not stop: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
