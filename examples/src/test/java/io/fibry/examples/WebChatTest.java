package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the chat room with the WebSocket client of the JDK. */
@Timeout(120)
class WebChatTest {

    private static final class User implements WebSocket.Listener {
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        private final StringBuilder part = new StringBuilder();
        private final WebSocket socket;

        User(HttpClient client, int port) {
            socket = client.newWebSocketBuilder()
                    .buildAsync(URI.create("ws://localhost:" + port + "/chat"), this)
                    .join();
        }

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
            part.append(text);
            if (last) {
                lines.add(part.toString());
                part.setLength(0);
            }
            from.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            lines.add("closed with " + code);
            return null;
        }

        void say(String line) {
            socket.sendText(line, true).join();
        }

        String line() throws InterruptedException {
            return lines.poll(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void usersReceiveTheMessagesOfOthers() throws Exception {
        try (var server = new WebChat().start(0);
                var client = HttpClient.newHttpClient()) {
            var ann = new User(client, server.port());
            ann.say("Ann");
            assertEquals("Ann comes in.", ann.line());
            var bob = new User(client, server.port());
            bob.say("Bob");
            assertEquals("Bob comes in.", ann.line());
            assertEquals("Bob comes in.", bob.line());
            ann.say("Hello Bob!");
            assertEquals("Ann: Hello Bob!", ann.line());
            assertEquals("Ann: Hello Bob!", bob.line());
            bob.socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
            assertEquals("Bob leaves.", ann.line());
            server.stop();
            assertEquals("closed with 1001", ann.line());
        }
    }

    @Test
    void thePageIsThere() throws Exception {
        try (var server = new WebChat().start(0);
                var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + "/"))
                    .build();
            var response = client.send(request, BodyHandlers.ofString());
            assertEquals(200, response.statusCode());
            assertEquals(
                    "text/html; charset=utf-8",
                    response.headers().firstValue("content-type").orElseThrow());
        }
    }
}
