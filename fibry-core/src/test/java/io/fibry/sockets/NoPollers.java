package io.fibry.sockets;

import io.fibry.Actor;
import io.fibry.ActorExit;
import io.fibry.ActorSystem;
import io.fibry.ThreadStrategy;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpRoutes;
import io.fibry.http.HttpServerActor;
import io.fibry.net.TcpAcceptor;
import io.fibry.net.TcpOptions;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A program with servers on virtual threads, which ends the JDK's pollers by exhausting their memory. */
final class NoPollers {

    private NoPollers() {}

    public static void main(String[] arguments) throws Exception {
        SocketCheck.patience = Duration.ofSeconds(3);
        var system = ActorSystem.create();
        var connected = new CountDownLatch(1);
        var tcp = TcpAcceptor.start(
                system.actor().strategy(ThreadStrategy.virtual()),
                0,
                socket -> {
                    connected.countDown();
                    int unused = socket.getInputStream().read();
                },
                TcpOptions.defaults());
        var http = http(system);
        try (var client = new Socket(InetAddress.getLoopbackAddress(), tcp.port())) {
            client.setTcpNoDelay(true);
            connected.await();
            endPollers();
            OutOfMemory.note();
            print("tcp", tcp);
            print("http", http);
            new ServerSocket(tcp.port()).close();
            new ServerSocket(http.port()).close();
            System.out.println("the ports are free");
        }
        try {
            http(system);
        } catch (IllegalStateException e) {
            System.out.println("another server: " + advice(e));
        }
        try {
            TcpAcceptor.start(system.actor("tcp"), 0, socket -> {}, TcpOptions.defaults());
        } catch (IllegalStateException e) {
            System.out.println("a named server: " + advice(e));
            System.out.println("its name is free: " + system.find("tcp").isEmpty());
        }
        System.out.println("closed: " + system.close(Duration.ofSeconds(20)));
        System.exit(0);
    }

    private static HttpServerActor http(ActorSystem system) {
        var routes = HttpRoutes.none().get("/hello", exchange -> "hello");
        return HttpServerActor.start(
                system.actor().strategy(ThreadStrategy.virtual()), 0, routes, HttpOptions.defaults());
    }

    private static void print(String server, Actor<?> actor) {
        ActorExit exit = actor.exit().join();
        System.out.println(server + ": " + exit.reason() + ", " + advice(exit.cause()));
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
