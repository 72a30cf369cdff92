package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.testing.NoLeftovers;
import java.lang.management.ManagementFactory;
import java.util.Set;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The view of a system through a JMX client.
 *
 * <p>Seen to fail: without the end of the registration.
 */
@ExtendWith(NoLeftovers.class)
@Timeout(60)
class JmxTest {

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    private Set<ObjectName> registered() throws Exception {
        return server.queryNames(new ObjectName("io.fibry:type=ActorSystem,*"), null);
    }

    @Test
    void aSystemIsThereUntilItIsClosed() throws Exception {
        var options = SystemOptions.defaults().name("the \"shop\", *").jmx(true);
        try (var shop = ActorSystem.create(options);
                var other = ActorSystem.create(options)) {
            assertEquals(2, registered().size());
            shop.actor("clerk").newSink(null);
            shop.actor("waiter").newSink(null);
            var name = new ObjectName("io.fibry:type=ActorSystem,name=" + ObjectName.quote("the \"shop\", *"));
            assertEquals("the \"shop\", *", server.getAttribute(name, "Name"));
            assertEquals(2L, server.getAttribute(name, "Actors"));
            assertEquals(0L, server.getAttribute(name, "MailboxSizes"));
            assertEquals(0.0, server.getAttribute(name, "LongestRunningSeconds"));
            String dump = (String) server.invoke(name, "dump", null, null);
            assertTrue(dump.contains("2 actors: 2 idle"), dump);
            String json = (String) server.invoke(name, "dumpJson", null, null);
            assertTrue(json.startsWith("{"), json);
            var stuck = (String[]) server.invoke(name, "stuck", new Object[] {1L}, new String[] {"long"});
            assertEquals(0, stuck.length);
            assertEquals("the \"shop\", *", other.name());
        }
        assertEquals(Set.of(), registered());
    }

    @Test
    void aSystemIsNotThereUnlessItIsAsked() throws Exception {
        try (var system = ActorSystem.create()) {
            assertFalse(system.isClosing());
            assertEquals(Set.of(), registered());
        }
    }
}
