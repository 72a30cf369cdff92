package io.fibry.sockets;

import io.fibry.ActorExit;
import io.fibry.ActorSystem;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.helidon.HelidonOptions;
import io.fibry.helidon.HelidonRoutes;
import io.fibry.helidon.HelidonServer;
import io.fibry.helidon.RawClient;
import java.lang.reflect.Field;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A program with a server, which ends the JDK's pollers by exhausting their memory. */
final class HelidonWithoutPollers {

    private HelidonWithoutPollers() {}

    public static void main(String[] arguments) throws Exception {
        SocketCheck.patience = Duration.ofSeconds(3);
        var system = ActorSystem.create();
        var opened = new CountDownLatch(1);
        var routes = HelidonRoutes.none().webSocket("/ws", (session, actors) -> {
            opened.countDown();
            return actors.newActor(session::tell);
        });
        var server = HelidonServer.start(system.actor(), 0, routes, HelidonOptions.defaults());
        try (var client = new RawClient(server.port(), "/ws")) {
            opened.await();
            endPollers();
            OutOfMemory.note();
            ActorExit exit = server.exit().join();
            System.out.println(exit.reason() + ", " + advice(exit.cause()));
            new ServerSocket(server.port()).close();
            System.out.println("the port is free");
            System.out.println("the session has ended: " + client.isAtEnd());
        }
        try {
            HelidonServer.start(system.actor(), 0, routes, HelidonOptions.defaults());
        } catch (IllegalStateException e) {
            System.out.println("another server: " + advice(e));
        }
        System.out.println("closed: " + system.close(Duration.ofSeconds(20)));
        System.exit(0);
    }

    private static String advice(@Nullable Throwable failure) {
        return String.valueOf(failure).contains("restart the JVM") ? "restart the JVM" : String.valueOf(failure);
    }

    private static void endPollers() throws Exception {
        Object pollers = field(Class.forName("sun.nio.ch.Poller"), "POLLERS").get(null);
        Object master = field(pollers.getClass(), "masterPoller").get(pollers);
        if (master == null) {
            for (Object poller :
                    (Object[]) field(pollers.getClass(), "readPollers").get(pollers)) {
                end(poller);
            }
        } else {
            end(master);
        }
    }

    private static void end(Object poller) throws Exception {
        Field map = field(Class.forName("sun.nio.ch.Poller"), "map");
        map.set(poller, new FullHeap((Map<?, ?>) map.get(poller)));
    }

    /** The threads that wait at a poller. When the poller wakes up the first one, memory runs out. */
    private static final class FullHeap extends ConcurrentHashMap<Object, Object> {

        private static final long serialVersionUID = 1;

        private final AtomicBoolean thrown = new AtomicBoolean();

        FullHeap(Map<?, ?> waiting) {
            super(waiting);
        }

        @Override
        public Object remove(Object descriptor) {
            if (thrown.compareAndSet(false, true)) {
                throw new OutOfMemoryError("on purpose");
            }
            return super.remove(descriptor);
        }
    }

    private static Field field(Class<?> type, String name) throws NoSuchFieldException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
