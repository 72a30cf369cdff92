package io.fibry.bench.net;

import com.sun.management.OperatingSystemMXBean;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.bench.Heap;
import io.fibry.helidon.HelidonOptions;
import io.fibry.helidon.HelidonRoutes;
import io.fibry.helidon.HelidonServer;
import io.fibry.helidon.WebSocketMessage;
import io.fibry.helidon.WebSocketOptions;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.websocket.WsConfig;
import io.helidon.webserver.websocket.WsRouting;
import io.helidon.websocket.WsListener;
import io.helidon.websocket.WsSession;
import java.lang.management.ManagementFactory;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A server that echoes the messages of WebSockets at {@code /echo}, and answers with their lengths at {@code /length}.
 * The argument is the server: {@code fibry}, or {@code helidon} alone.
 */
final class WebSocketServers {

    static final int MAX_MESSAGE = 64 << 20;

    private static final int MANY = 1_000_000;

    private static final Logger HELIDON = Logger.getLogger("io.helidon"); // held, or its level would be lost

    private WebSocketServers() {}

    public static void main(String[] args) throws Exception {
        HELIDON.setLevel(Level.WARNING);
        int port = args[0].equals("fibry") ? fibry() : helidon();
        Child.answer(question -> switch (question) {
            case "port" -> port;
            case "heap" -> Heap.used();
            case "resident" -> IdleServer.resident();
            case "cpu" -> cpuNanos();
            default -> throw new IllegalArgumentException(question);
        });
    }

    private static int fibry() {
        var options = WebSocketOptions.defaults().outbox(16, Overflow.BLOCK).maxMessageBytes(MAX_MESSAGE);
        var routes = HelidonRoutes.none()
                .webSocket("/echo", (session, actors) -> actors.newActor(session::tell), options)
                .webSocket("/length", (session, actors) -> actors.newActor(m -> session.send(length(m))), options);
        return HelidonServer.start(
                        ActorSystem.defaultSystem().actor(),
                        0,
                        routes,
                        HelidonOptions.defaults().maxConnections(MANY))
                .port();
    }

    private static String length(WebSocketMessage message) {
        return message instanceof WebSocketMessage.Text text
                ? String.valueOf(text.text().length())
                : "not a text";
    }

    /** The processor time of this process, with that of the garbage collector and the compilers. */
    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private static int helidon() {
        var echo = new WsListener() {
            @Override
            public void onMessage(WsSession session, String text, boolean last) {
                session.send(text, last);
            }
        };
        return WebServer.builder()
                .backlog(1024)
                .addRouting(WsRouting.builder().endpoint("/echo", echo).endpoint("/length", Lengths::new))
                .addProtocol(WsConfig.builder().maxFrameLength(MAX_MESSAGE).build())
                .build()
                .start()
                .port();
    }

    /** Answers with the length of each message. The frames of a message come one by one. */
    private static final class Lengths implements WsListener {
        private int length;

        @Override
        public void onMessage(WsSession session, String text, boolean last) {
            length += text.length();
            if (last) {
                session.send(String.valueOf(length), true);
                length = 0;
            }
        }
    }
}
