package io.fibry.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class H2StoreTest extends MessageStoreCase {

    @TempDir
    Path directory;

    @Override
    JdbcStore open() throws SQLException {
        return JdbcStore.h2(directory.resolve("state"));
    }

    /** The directory is new for each test. */
    @Override
    void empty() {}

    @Override
    Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:h2:file:" + directory.resolve("state") + ";AUTO_SERVER=TRUE", "sa", "");
    }

    /** The port of the file is accessible from this machine only. */
    @Test
    void listensOnTheLoopbackAddressOnly() throws Exception {
        var properties = new Properties();
        try (var in = Files.newInputStream(directory.resolve("state.lock.db"))) {
            properties.load(in);
        }
        String server = properties.getProperty("server");
        assertTrue(server.startsWith("localhost:"), server);
        int port = Integer.parseInt(server.substring(server.indexOf(':') + 1));
        new Socket(InetAddress.getLoopbackAddress(), port).close();
        InetAddress other = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst()
                .orElse(null);
        Assumptions.assumeTrue(other != null, "this machine has only the loopback address");
        assertThrows(IOException.class, () -> new Socket(other, port).close());
    }

    @Test
    void aDirectoryThatCannotBe() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));
        assertThrows(
                SQLException.class, () -> JdbcStore.h2(file.resolve("state")).close());
        assertEquals(
                "H2 cannot open a file whose path has a semicolon: " + directory.resolve("a;b"),
                assertThrows(IllegalArgumentException.class, () -> JdbcStore.h2(directory.resolve("a;b")))
                        .getMessage());
    }

    /** A file that is not a database is not overwritten. */
    @Test
    void anotherFile() throws Exception {
        Path other = directory.resolve("other.mv.db");
        Files.writeString(other, "not a database".repeat(1000));
        assertThrows(
                SQLException.class,
                () -> JdbcStore.h2(directory.resolve("other")).close());
        assertEquals("not a database".repeat(1000), Files.readString(other));
    }
}
