package io.fibry;

import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The system behind the static methods of {@link ActorSystem}. Created on first use, and again on the first use after its close.
 */
final class DefaultSystem {

    private static final ReentrantLock LOCK = new ReentrantLock();
    private static volatile @Nullable LocalSystem current;
    private static ThreadStrategy strategy = ThreadStrategy.virtual(); // guarded by LOCK

    private DefaultSystem() {}

    static LocalSystem get() {
        LocalSystem system = current;
        return system != null && !system.isClosing() ? system : open();
    }

    private static LocalSystem open() {
        LOCK.lock();
        try {
            LocalSystem system = current;
            if (system == null || system.isClosing()) {
                system = new LocalSystem(SystemOptions.defaults().strategy(strategy));
                current = system;
            }
            return system;
        } finally {
            LOCK.unlock();
        }
    }

    static void setStrategy(ThreadStrategy wanted) {
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
