package io.fibry.cluster.pekko;

import io.fibry.codec.RecordCodec;
import io.fibry.durable.Change;
import io.fibry.durable.Durable;
import io.fibry.durable.DurableType;
import io.fibry.durable.JdbcStore;
import io.fibry.durable.StateTable;
import io.fibry.entity.Entities;
import java.util.function.Consumer;

/** The next version of {@link FirstVersion}. A message of the first version has the amount 0. */
final class SecondVersion {

    private SecondVersion() {}

    sealed interface Command permits Add, Count {}

    record Add(String item, int amount) implements Command {}

    record Count() implements Command {}

    record Items(int count, String version) {}

    record State(int count, String last) {}

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
                return new State(0, "");
            }

            @Override
            public Change<State, Items> handle(State state, Command command) {
                return switch (command) {
                    case Add add -> {
                        int count = state.count() + Math.max(1, add.amount());
                        onAdd.accept(" to " + count + " by ");
                        yield Change.to(new State(count, add.item()), new Items(count, "second"));
                    }
                    case Count count -> Change.none(new Items(state.count(), "second"));
                };
            }
        };
    }
}
