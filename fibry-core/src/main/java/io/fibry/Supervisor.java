package io.fibry;

import java.util.List;
import java.util.Optional;

/**
 * An actor that starts others, restarts them when they fail, and stops them in the reverse order of their start. It takes no
 * messages. Made by {@link ActorBuilder#newSupervisor}; {@link SupervisorSpec} says what it does. A supervisor may be the child of
 * another.
 *
 * <p>{@code stop()} stops the children one after the other, each with its own time for shutdown; the harder modes stop all at
 * once. When there are too many restarts, the supervisor ends as failed, with the last failure as its cause.
 */
public final class Supervisor extends ForwardingActor<Void> {

    private final SupervisorCell cell;

    Supervisor(SupervisorCell cell) {
        super(cell.asActor());
        this.cell = cell;
    }

    /** The child with this name, if it is alive; a child that is started anew is another actor. */
    public Optional<Actor<?>> child(String name) {
        return cell.child(name);
    }

    /** The names of the children that are alive or being restarted, in the order of their start. */
    public List<String> children() {
        return cell.childNames();
    }
}
