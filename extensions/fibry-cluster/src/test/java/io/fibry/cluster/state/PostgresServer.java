package io.fibry.cluster.state;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assumptions;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL server for tests: of the programs that are installed, with an empty database in a directory of its own, on a free port
 * of the loopback address. It needs only JUnit and the driver, so it may be copied.
 */
public final class PostgresServer implements AutoCloseable {

    private static final String USER = "fibry";

    private final Path programs;
    private final Path directory;
    private final String password = UUID.randomUUID().toString();
    private final Thread atExit = new Thread(this::stop);
    private int port;

    private PostgresServer(Path programs, Path directory) {
        this.programs = programs;
        this.directory = directory;
    }

    /** Starts a server. Skips the test if PostgreSQL is not installed. */
    public static PostgresServer start() {
        Path programs = programs();
        Assumptions.assumeTrue(
                programs != null,
                "PostgreSQL is not installed: no initdb on the PATH, nor in /usr/lib/postgresql/*/bin");
        try {
            var server = new PostgresServer(
                    Objects.requireNonNull(programs),
                    Files.createTempDirectory(Path.of("/tmp"), "fibry-postgres")); // a place that other users can reach
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
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A data source without a pool: each connection is a new one. */
    public DataSource dataSource() {
        var dataSource = new PGSimpleDataSource();
        dataSource.setUrl(url());
        dataSource.setUser(USER);
        dataSource.setPassword(password);
        return dataSource;
    }

    /** The JDBC URL of the database, without user and password. */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    public String user() {
        return USER;
    }

    public String password() {
        return password;
    }

    /** Stops the server as {@code kill -9} does, and deletes all of it. */
    @Override
    public void close() {
        stop();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            System.err.println("the JVM ends already: " + e);
        }
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path programs() {
        try {
            Stream<Path> path = Arrays.stream(
                            System.getenv().getOrDefault("PATH", "").split(":"))
                    .map(Path::of);
            Path debian = Path.of("/usr/lib/postgresql");
            try (Stream<Path> versions = Files.isDirectory(debian) ? Files.list(debian) : Stream.empty()) {
                return Stream.concat(
                                path,
                                versions.map(version -> version.resolve("bin")).sorted(Comparator.reverseOrder()))
                        .filter(bin ->
                                Files.isExecutable(bin.resolve("initdb")) && Files.isExecutable(bin.resolve("pg_ctl")))
                        .findFirst()
                        .orElse(null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void begin() throws IOException {
        Runtime.getRuntime().addShutdownHook(atExit);
        Files.setPosixFilePermissions(
                directory, PosixFilePermissions.fromString("rwxrwxrwx")); // initdb makes one inside
        Path passwordFile = Files.writeString(directory.resolve("password"), password);
        run(
                "initdb",
                "-D",
                data(),
                "-U",
                USER,
                "-A",
                "scram-sha-256",
                "--pwfile",
                passwordFile.toString(),
                "-E",
                "UTF8",
                "-N");
        String failure = "";
        for (int i = 0; i < 3; i++) {
            port = freePort();
            failure = tryRun(
                    "pg_ctl",
                    "-D",
                    data(),
                    "-w",
                    "-l",
                    directory.resolve("log").toString(),
                    "-o",
                    "-h 127.0.0.1 -p " + port + " -c unix_socket_directories= -c fsync=off",
                    "start");
            if (failure.isEmpty()) {
                return;
            }
        }
        throw new IOException(failure);
    }

    private String data() {
        return directory.resolve("data").toString();
    }

    private void stop() {
        if (Files.exists(directory.resolve("data"))) {
            tryRun("pg_ctl", "-D", data(), "-m", "immediate", "-w", "stop"); // fails if it does not run
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void run(String program, String... arguments) throws IOException {
        String failure = tryRun(program, arguments);
        if (!failure.isEmpty()) {
            throw new IOException(failure);
        }
    }

    /** What it wrote, if it failed. PostgreSQL does not run as root. */
    private String tryRun(String program, String... arguments) {
        var command = new ArrayList<String>();
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("runuser", "-u", "nobody", "--"));
        }
        command.add(programs.resolve(program).toString());
        command.addAll(List.of(arguments));
        try {
            Path output = Files.createTempFile(directory, "output", "");
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile()) // not a pipe: the server would keep it open
                    .start();
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return program + " takes too long: " + Files.readString(output);
            }
            return process.exitValue() == 0 ? "" : program + " failed: " + Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
