package io.fibry.cluster.pekko.harness;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Creates key stores with a certificate for all loopback addresses of the tests. A key store trusts only its own
 * certificate.
 */
public final class Keys {

    private static final char[] PASSWORD = "password".toCharArray();

    private Keys() {}

    /** Creates a key store. Two key stores do not trust each other. */
    public static Path make(Path file) throws IOException, InterruptedException {
        var keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        file.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + file.getFileName(),
                        "-ext",
                        "san=ip:127.0.0.1,ip:127.0.0.2,ip:127.0.0.3,ip:127.0.0.4,ip:127.0.0.5",
                        "-validity",
                        "2")
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IOException("keytool has failed: " + output);
        }
        return file;
    }

    /** Returns a context for both sides of a connection. */
    public static SSLContext context(Path file) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD);
        var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
        return context;
    }
}
