package io.fibry.cluster.pekko.harness;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.Failover;
import io.fibry.durable.JdbcStore;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The arguments of {@link Node}, each as {@code name=value}. */
final class NodeOptions {

    private final Map<String, String> values;

    private NodeOptions(Map<String, String> values) {
        this.values = values;
    }

    static NodeOptions parse(String... arguments) {
        return new NodeOptions(Arrays.stream(arguments)
                .map(argument -> argument.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1])));
    }

    static List<String> arguments(Map<String, String> values) {
        return values.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .toList();
    }

    String name() {
        return required("name");
    }

    Path journal() {
        return Path.of(required("journal"));
    }

    /** How many of ten messages of a load are asks. */
    int asksOfTen() {
        return Integer.parseInt(values.getOrDefault("asksOfTen", "1"));
    }

    /** The version of the program, 1 or 2. */
    int version() {
        return Integer.parseInt(values.getOrDefault("version", "1"));
    }

    /** The storage of the counts: an H2 file, or the address of a PostgreSQL server; null means in memory. */
    @Nullable
    JdbcStore store() throws SQLException {
        if (values.containsKey("h2")) {
            return JdbcStore.h2(Path.of(required("h2")));
        }
        if (!values.containsKey("jdbc")) {
            return null;
        }
        var pool = new HikariConfig();
        pool.setJdbcUrl(required("jdbc"));
        pool.setMaximumPoolSize(8);
        var database = new HikariDataSource(pool);
        JdbcStore.createSchema(database);
        return JdbcStore.of(database);
    }

    private String required(String name) {
        return Objects.requireNonNull(values.get(name), name);
    }

    /**
     * Returns the configuration. Only {@code host}, {@code port} and {@code seeds} (separated by commas) are required.
     */
    ClusterOptions config() throws IOException, GeneralSecurityException {
        var config = ClusterOptions.of(
                        values.getOrDefault("cluster", "test"),
                        required("host"),
                        Integer.parseInt(required("port")),
                        required("seeds").split(","))
                .failover(Failover.valueOf(values.getOrDefault("failover", "FAST")))
                .insecure(Boolean.parseBoolean(values.getOrDefault("insecure", "false")))
                .shards(Integer.parseInt(values.getOrDefault("shards", "30")))
                .drain(Duration.ofMillis(Long.parseLong(values.getOrDefault("drain", "10000"))))
                .joinTimeout(Duration.ofMillis(Long.parseLong(values.getOrDefault("join", "100000"))));
        if (values.containsKey("bindPort")) {
            config = config.bind(required("host"), Integer.parseInt(required("bindPort")));
        }
        if (values.containsKey("secret")) {
            config = config.secret(required("secret"));
        }
        return values.containsKey("tls") ? config.tls(Keys.context(Path.of(required("tls")))) : config;
    }
}
