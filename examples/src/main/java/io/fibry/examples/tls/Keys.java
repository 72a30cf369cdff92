package io.fibry.examples.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.UUID;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS contexts for a server, and for clients that trust it. */
public final class Keys {

    private Keys() {}

    /**
     * Loads a key and its certificate from a PKCS #12 file, as written by {@code keytool} or {@code openssl pkcs12}.
     */
    public static SSLContext of(Path file, String password) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, password.toCharArray());
        }
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, password.toCharArray());
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(keys); // for a client that trusts only this certificate
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    /**
     * Creates a key with a self-signed certificate for localhost, which clients must accept explicitly. Leaves no file.
     */
    public static SSLContext selfSigned() throws IOException, GeneralSecurityException, InterruptedException {
        Path directory = Files.createTempDirectory("keys");
        Path file = directory.resolve("keys.p12");
        String password = UUID.randomUUID().toString();
        try {
            keytool(
                    "-genkeypair -keyalg EC -dname CN=localhost -ext san=dns:localhost,ip:127.0.0.1 -validity 30"
                            + " -storetype PKCS12 -storepass:env KEYS_PASSWORD -keystore",
                    file,
                    password);
            return of(file, password);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(directory);
        }
    }

    private static void keytool(String arguments, Path file, String password) throws IOException, InterruptedException {
        String program =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        var builder = new ProcessBuilder((program + "\n" + arguments.replace(' ', '\n') + "\n" + file).split("\n", -1));
        builder.environment().put("KEYS_PASSWORD", password);
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("keytool failed to create a key: " + output.strip());
        }
    }
}
