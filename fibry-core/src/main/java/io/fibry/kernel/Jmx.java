package io.fibry.kernel;

import io.fibry.ActorInfo;
import io.fibry.ActorSystemMXBean;
import io.fibry.SystemDump;
import io.fibry.dispatch.LogText;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Registers a system with the platform's MBean server. The only class that refers to types of the module
 * {@code java.management}; it is not loaded in a runtime without the module.
 */
final class Jmx implements ActorSystemMXBean, AutoCloseable {

    private final String name;
    private final Supplier<SystemDump> dump;
    private final Function<Duration, List<ActorInfo>> stuck;
    private final ObjectName registered;

    /** Registers a system, until this is closed. Only in a runtime with the module. */
    Jmx(String name, Supplier<SystemDump> dump, Function<Duration, List<ActorInfo>> stuck) {
        this.name = name;
        this.dump = dump;
        this.stuck = stuck;
        try {
            registered = register();
        } catch (JMException e) {
            throw new IllegalStateException(
                    "the system " + LogText.plain(name) + " could not be registered for JMX", e);
        }
    }

    private ObjectName register() throws JMException {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        String place = "io.fibry:type=ActorSystem,name=" + ObjectName.quote(name);
        var objectName = new ObjectName(place);
        for (int number = 2; server.isRegistered(objectName); number++) { // by another system with the same name
            objectName = new ObjectName(place + ",number=" + number);
        }
        return server.registerMBean(this, objectName).getObjectName();
    }

    @Override
    public void close() throws JMException {
        ManagementFactory.getPlatformMBeanServer().unregisterMBean(registered);
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public long getActors() {
        return dump.get().totals().actors();
    }

    @Override
    public long getMailboxSizes() {
        return dump.get().totals().mailboxSizes();
    }

    @Override
    public long getHandled() {
        return dump.get().counters().handled();
    }

    @Override
    public long getDeadLetters() {
        return dump.get().counters().dead();
    }

    @Override
    public double getLongestRunningSeconds() {
        return dump.get().totals().longestRunning().toMillis() / 1000.0;
    }

    @Override
    public String dump() {
        return dump.get().toString();
    }

    @Override
    public String dumpJson() {
        return dump.get().toJson();
    }

    @Override
    public String[] stuck(long seconds) {
        return stuck.apply(Duration.ofSeconds(seconds)).stream()
                .map(ActorInfo::toString)
                .toArray(String[]::new);
    }
}
