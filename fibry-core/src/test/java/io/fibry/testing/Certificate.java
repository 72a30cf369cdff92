package io.fibry.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A certificate for localhost, made for the tests and deleted after them, that its own clients trust. */
public final class Certificate implements AutoCloseable {

    private static final char[] PASSWORD = "password".toCharArray();

    private final Path directory;

    public Certificate() throws IOException, InterruptedException {
        directory = Files.createTempDirectory("certificate");
        var keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        file().toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-validity",
                        "2")
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IOException("keytool has failed: " + output);
        }
    }

    /** The key store, for another JVM's {@link #context}. */
    public Path file() {
        return directory.resolve("keys.p12");
    }

    /** For both sides. */
    public SSLContext context() throws IOException, GeneralSecurityException {
        return context(file());
    }

    private static KeyStore load(Path file) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        return keys;
    }

    public static SSLContext context(Path file) throws IOException, GeneralSecurityException {
        KeyStore keys = load(file);
        var keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keyManagers.init(keys, PASSWORD);
        var trustManagers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trustManagers.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
        return context;
    }

    /** The key store with the key and the certificate. */
    public KeyStore keys() throws IOException, GeneralSecurityException {
        return load(file());
    }

    public static char[] password() {
        return PASSWORD.clone();
    }

    /**
     * For a server whose keys are supplied by that manager, and which trusts this certificate; or, with null, for a
     * client without one.
     */
    public SSLContext contextWith(@Nullable KeyManager keys) throws IOException, GeneralSecurityException {
        var trustManagers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trustManagers.init(keys());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys == null ? null : new KeyManager[] {keys}, trustManagers.getTrustManagers(), null);
        return context;
    }

    @Override
    public void close() throws IOException {
        Files.delete(file());
        Files.delete(directory);
    }
}
