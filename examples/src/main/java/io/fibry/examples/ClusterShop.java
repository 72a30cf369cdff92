package io.fibry.examples;

import io.fibry.ActorRef;
import io.fibry.entity.Entities;
import io.fibry.examples.cluster.CartNode;
import io.fibry.examples.cluster.CartNode.Cart;
import io.fibry.examples.cluster.CartNode.Command;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;

/**
 * A cluster: carts on three nodes, each in its own process. One node is killed, and its carts continue on other nodes,
 * with their contents.
 * {@code mvn -q -pl examples -am compile exec:exec -Dexample=ClusterShop}
 */
public final class ClusterShop {

    private ClusterShop() {}

    public static void main(String[] args) throws Exception {
        String folder = Files.createTempDirectory("cluster-shop").toString();
        List<String> ports = List.of(freePort(), freePort(), freePort());
        Process second = start(ports.get(1), ports, folder);
        Process third = start(ports.get(2), ports, folder);
        CartNode node = CartNode.join(ports.get(0), ports, folder);
        try (var cluster = node.cluster()) {
            while (count(node.carts(), 0).size() < 3) {
                System.out.println("Nodes are joining ..");
                Thread.sleep(1_000);
            }
            System.out.println(count(node.carts(), 7));
            second.destroyForcibly();
            System.out.println("One of " + cluster.members().size() + " nodes is killed.");
            long start = System.nanoTime();
            System.out.println(count(node.carts(), 0));
            Duration time = Duration.ofNanos(System.nanoTime() - start);
            System.out.println("All carts have answered again within " + time.toMillis() + " ms.");
        } finally {
            second.destroyForcibly();
            third.destroyForcibly();
        }
    }

    /** Asks 30 carts, each until it answers, and counts them by node and number of pens. */
    private static Map<String, Integer> count(Entities<String, Command, Cart> carts, int pens)
            throws InterruptedException {
        var count = new TreeMap<String, Integer>();
        for (int i = 0; i < 30; i++) {
            Cart cart = answer(carts.ref("user-" + i), new Command(pens));
            count.merge("node " + cart.node() + ", " + cart.pens() + " pens", 1, Integer::sum);
        }
        return count;
    }

    private static Cart answer(ActorRef<Command, Cart> cart, Command command) throws InterruptedException {
        while (true) {
            try {
                return cart.ask(command, Duration.ofSeconds(1)).join();
            } catch (CompletionException e) {
                Thread.sleep(100); // the other nodes have not detected the kill yet
            }
        }
    }

    private static Process start(String port, List<String> ports, String folder) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = System.getProperty("java.class.path");
        return new ProcessBuilder(java, "-cp", classes, CartNode.class.getName(), port, String.join(",", ports), folder)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static String freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return Integer.toString(socket.getLocalPort());
        }
    }
}
