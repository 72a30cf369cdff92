package io.fibry.cluster.pekko;

import com.typesafe.config.Config;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.apache.pekko.dispatch.DispatcherPrerequisites;
import org.apache.pekko.dispatch.ExecutorServiceConfigurator;
import org.apache.pekko.dispatch.ExecutorServiceFactory;

/**
 * Runs each task of a dispatcher on a new virtual thread. Pekko's own executor of this kind requires access to JDK
 * internals.
 */
public final class VirtualThreads extends ExecutorServiceConfigurator {

    /** Called by Pekko, which finds this class by the name in {@code cluster.conf}. */
    public VirtualThreads(Config config, DispatcherPrerequisites prerequisites) {
        super(config, prerequisites);
    }

    @Override
    public ExecutorServiceFactory createExecutorServiceFactory(String id, ThreadFactory threads) {
        return new ExecutorServiceFactory() {
            @Override
            public ExecutorService createExecutorService() {
                return Executors.newVirtualThreadPerTaskExecutor();
            }
        };
    }
}
