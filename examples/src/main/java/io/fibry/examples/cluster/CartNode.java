package io.fibry.examples.cluster;

import io.fibry.cluster.ClusterOptions;
import io.fibry.cluster.ClusterSystem;
import io.fibry.codec.RecordCodec;
import io.fibry.durable.Change;
import io.fibry.durable.Durable;
import io.fibry.durable.DurableType;
import io.fibry.durable.JdbcStore;
import io.fibry.durable.StateTable;
import io.fibry.entity.Entities;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/** A node with carts. Their state is in a file that all nodes share. */
public record CartNode(ClusterSystem cluster, Entities<String, CartNode.Command, CartNode.Cart> carts) {

    /** Sets the minimum number of pens in the cart. */
    public record Command(int pens) {}

    /** A cart, and the node that has handled its last message. */
    public record Cart(String node, int pens) {}

    /** Joins the cluster, whose nodes are all seeds. */
    public static CartNode join(String port, List<String> ports, String folder) throws SQLException {
        String[] seeds = ports.stream().map(p -> "127.0.0.1:" + p).toArray(String[]::new);
        var options = ClusterOptions.of("shop", "127.0.0.1", Integer.parseInt(port), seeds);
        ClusterSystem cluster = ClusterSystem.join(options);
        var store = JdbcStore.h2(Path.of(folder, "carts"));
        var type = DurableType.of("cart", RecordCodec.of(Command.class), RecordCodec.of(Cart.class));
        return new CartNode(
                cluster, cluster.entities(StateTable.of(store, type, RecordCodec.of(Cart.class), behavior(port))));
    }

    private static Durable<Cart, Command, Cart> behavior(String node) {
        return new Durable<>() {
            @Override
            public Cart initial() {
                return new Cart(node, 0);
            }

            @Override
            public Change<Cart, Cart> handle(Cart cart, Command command) {
                var next = new Cart(node, Math.max(cart.pens, command.pens));
                return next.pens == cart.pens ? Change.none(next) : Change.to(next, next);
            }
        };
    }

    /** Runs a node in its own process, until its parent process ends. */
    public static void main(String[] args) throws IOException, SQLException {
        CartNode unused = join(args[0], List.of(args[1].split(",", -1)), args[2]);
        Runtime.getRuntime().halt(Math.max(0, System.in.read()));
    }
}
