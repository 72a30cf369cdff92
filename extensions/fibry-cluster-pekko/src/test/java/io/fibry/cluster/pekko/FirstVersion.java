package io.fibry.cluster.pekko;

import io.fibry.codec.RecordCodec;
import io.fibry.durable.Change;
import io.fibry.durable.Durable;
import io.fibry.durable.DurableType;
import io.fibry.durable.JdbcStore;
import io.fibry.durable.StateTable;
import io.fibry.entity.Entities;
import java.util.function.Consumer;

/** The messages and the entities of the first version of a program; see {@link SecondVersion}. */
final class FirstVersion {

    private FirstVersion() {}

    sealed interface Command permits Add {}

    record Add(String item) implements Command {}

    record Items(int count) {}

    record State(int count) {}

    static Entities<String, Command, Items> host(PekkoCluster node, JdbcStore store, Consumer<String> onAdd) {
        String owner = node.self().toString();
        var type = DurableType.of("cart", RecordCodec.of(Command.class), RecordCodec.of(Items.class));
        return node.entities(StateTable.of(
                store, type, RecordCodec.of(State.class), key -> cart(add -> onAdd.accept(key + add + owner))));
    }

    private static Durable<State, Command, Items> cart(Consumer<String> onAdd) {
        return new Durable<>() {
            @Override
            public State initial() {
                return new State(0);
            }

            @Override
            public Change<State, Items> handle(State state, Command command) {
                int count = state.count() + 1;
                onAdd.accept(" to " + count + " by ");
                return Change.to(new State(count), new Items(count));
            }
        };
    }
}
