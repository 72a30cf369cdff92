package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The service for Kubernetes, as a single node, and its manifest. */
@Timeout(180)
class ClusterServiceTest {

    private static final int SIGTERM = 128 + 15;

    private static final String MANIFEST = "examples/src/main/kubernetes/cluster.yaml";

    @Test
    void itServesUntilItIsTerminated() throws Exception {
        String port = Integer.toString(Snippet.freePort());
        Map<String, String> settings = Map.of(
                "HOST",
                "127.0.0.1",
                "PORT",
                port,
                "SEEDS",
                "127.0.0.1:" + port,
                "SECRET",
                "a secret of more than twenty characters",
                "HTTP_PORT",
                "0");
        try (var service = new Program(settings, "ClusterService");
                var client = HttpClient.newHttpClient()) {
            String address = address(service);
            assertEquals("OK", send(client, "GET", address + "/live"));
            assertEquals("OK", send(client, "GET", address + "/ready"));
            assertEquals("2 on 127.0.0.1\n", send(client, "POST", address + "/add/apples/2"));
            assertEquals("5 on 127.0.0.1\n", send(client, "POST", address + "/add/apples/3"));
            service.terminate();
            String log = service.rest();
            assertEquals(SIGTERM, service.exitStatus(), log);
        }
    }

    /** The output includes the log. */
    private static String address(Program service) throws IOException {
        var before = new StringBuilder();
        for (String line = service.line(); line != null; line = service.line()) {
            if (line.startsWith("http://")) {
                return line;
            }
            before.append(line).append('\n');
        }
        throw new IOException("the service has ended: " + before);
    }

    private static String send(HttpClient client, String method, String address) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(address))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    @Test
    void theManifestSetsTheVariablesThatTheServiceReads() throws Exception {
        String manifest = Files.readString(Markdown.PROJECT.resolve(MANIFEST));
        String source = Files.readString(
                Markdown.PROJECT.resolve("examples/src/main/java/io/fibry/examples/ClusterService.java"));
        Set<String> read = names(source, "settings\\.get\\w*\\(\"(\\w+)\"");
        Set<String> set = names(manifest, "- name: ([A-Z_]+)\n");
        assertTrue(set.remove("POD"), "it is a part of HOST");
        assertTrue(set.remove("JDK_JAVA_OPTIONS"), "it is for the JVM");
        assertEquals(read, set);
        for (String path : names(source, "\\.health\\(\"([^\"]+)\"")) {
            assertTrue(manifest.contains("path: " + path + "\n"), path);
        }
    }

    private static Set<String> names(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
