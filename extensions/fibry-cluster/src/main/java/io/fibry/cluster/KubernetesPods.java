package io.fibry.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Looks up the running pods of the own namespace in the API of Kubernetes, with the service account of the pod. The
 * source of the request and of the files is the guide "Accessing the Kubernetes API from a Pod" of Kubernetes.
 */
final class KubernetesPods implements Callable<List<String>> {

    /** The files of the service account in a container. */
    static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final URI server;
    private final Path account;
    private final String labels;
    private final int port;
    private volatile @Nullable HttpClient client;

    private KubernetesPods(URI server, Path account, String labels, int port) {
        this.server = server;
        this.account = account;
        this.labels = labels;
        this.port = port;
    }

    /**
     * @param environment the variables of the container
     * @throws IllegalStateException if the program does not run in a pod
     */
    static KubernetesPods of(Map<String, String> environment, Path account, String labels, int port) {
        String host = environment.get("KUBERNETES_SERVICE_HOST");
        String apiPort = environment.get("KUBERNETES_SERVICE_PORT");
        if (host == null || apiPort == null) {
            throw new IllegalStateException("this program does not run in a pod of Kubernetes: the variables"
                    + " KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set");
        }
        String literal = host.indexOf(':') < 0 ? host : "[" + host + "]";
        return new KubernetesPods(URI.create("https://" + literal + ":" + apiPort), account, labels, port);
    }

    @Override
    public List<String> call() throws IOException, InterruptedException, GeneralSecurityException {
        String path = "/api/v1/namespaces/" + read("namespace") + "/pods?labelSelector="
                + URLEncoder.encode(labels, StandardCharsets.UTF_8);
        HttpRequest request = HttpRequest.newBuilder(server.resolve(path))
                .header("Authorization", "Bearer " + read("token")) // Kubernetes replaces the file every hour
                .timeout(TIMEOUT)
                .build();
        HttpResponse<byte[]> response = send(request);
        if (response.statusCode() != 200) {
            throw new IOException("the API of Kubernetes responds with " + response.statusCode() + " to GET " + path
                    + (response.statusCode() == 403
                            ? ": the service account of the pod needs a role with the verb \"list\" for \"pods\""
                            : ""));
        }
        return addresses(JsonMapper.shared().readTree(response.body()));
    }

    /** The timeout of a request does not include its body. After a failure, the authorities are read again. */
    private HttpResponse<byte[]> send(HttpRequest request)
            throws IOException, InterruptedException, GeneralSecurityException {
        CompletableFuture<HttpResponse<byte[]>> response =
                client().sendAsync(request, HttpResponse.BodyHandlers.ofByteArray());
        try {
            return response.get(2 * TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            client = null;
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } catch (TimeoutException e) {
            response.cancel(true);
            throw new IOException("the API of Kubernetes has not sent a complete response in time", e);
        }
    }

    private List<String> addresses(JsonNode pods) throws IOException {
        List<String> addresses = new ArrayList<>();
        for (JsonNode pod : pods.path("items")) {
            String ip = pod.path("status").path("podIP").asString("");
            boolean runs = pod.path("status").path("phase").asString("").equals("Running");
            boolean ends = pod.path("metadata").has("deletionTimestamp");
            if (runs && !ends && !ip.isEmpty()) {
                addresses.add(NodeAddress.of(InetAddress.getByName(ip), port));
            }
        }
        return addresses;
    }

    private String read(String file) throws IOException {
        return Files.readString(account.resolve(file)).strip();
    }

    private HttpClient client() throws IOException, GeneralSecurityException {
        HttpClient existing = client;
        if (existing != null) {
            return existing;
        }
        HttpClient created = HttpClient.newBuilder()
                .sslContext(trustOnly(account.resolve("ca.crt")))
                .connectTimeout(TIMEOUT)
                .build();
        client = created;
        return created;
    }

    private static SSLContext trustOnly(Path authorities) throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (InputStream in = Files.newInputStream(authorities)) {
            for (Certificate authority : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry("authority-" + trusted.size(), authority);
            }
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
