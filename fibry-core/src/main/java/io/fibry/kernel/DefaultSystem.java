package io.fibry.kernel;

import io.fibry.ActorSystem;
import io.fibry.SystemOptions;
import io.fibry.ThreadStrategy;
import io.fibry.dispatch.Control;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The system behind the static methods of {@link ActorSystem}. Created on first use, and recreated on first use after
 * its close.
 */
public final class DefaultSystem {

    private static final ReentrantLock LOCK = new ReentrantLock();
    private static volatile @Nullable LocalSystem current;
    private static ThreadStrategy strategy = ThreadStrategy.virtual(); // guarded by LOCK

    private DefaultSystem() {}

    public static LocalSystem get() {
        Control control = Control.ofCurrentThread();
        if (control != null) {
            return of(control);
        }
        LocalSystem system = current;
        return system != null && !system.isClosing() ? system : open();
    }

    /** Each controlled test has its own default system. */
    private static LocalSystem of(Control control) {
        AtomicReference<@Nullable AutoCloseable> place = control.defaultSystem();
        if (!(place.get() instanceof LocalSystem system) || system.isClosing()) {
            place.set(new LocalSystem(SystemOptions.defaults().name("default")));
        }
        return (LocalSystem) Objects.requireNonNull(place.get());
    }

    private static LocalSystem open() {
        LOCK.lock();
        try {
            LocalSystem system = current;
            if (system == null || system.isClosing()) {
                system =
                        new LocalSystem(SystemOptions.defaults().name("default").strategy(strategy));
                current = system;
            }
            return system;
        } finally {
            LOCK.unlock();
        }
    }

    public static void setStrategy(ThreadStrategy wanted) {
        Objects.requireNonNull(wanted, "strategy");
        LOCK.lock();
        try {
            strategy = wanted;
            get().setDefaultStrategy(wanted);
        } finally {
            LOCK.unlock();
        }
    }
}
