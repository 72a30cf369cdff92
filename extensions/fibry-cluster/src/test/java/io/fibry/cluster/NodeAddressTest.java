package io.fibry.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeAddressTest {

    @ParameterizedTest
    @ValueSource(strings = {"fd00::5", "[fd00::5]", "[fd00:0:0:0:0:0:0:5]", "FD00::5"})
    void allFormsOfAnIpv6HostAreEqual(String host) {
        ClusterOptions options = ClusterOptions.of("shop", host, 7001, "[fd00::5]:7001");
        assertEquals("[fd00:0:0:0:0:0:0:5]", options.host());
        assertEquals(new Discovery.Seeds(List.of("[fd00:0:0:0:0:0:0:5]:7001")), options.discovery());
    }

    @Test
    void otherHostsRemainAsTheyAre() {
        assertEquals("node-1.example:7001", NodeAddress.canonical("node-1.example:7001"));
        assertEquals("10.0.0.1:7001", NodeAddress.canonical("10.0.0.1:7001"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1", "10.0.0.1:0", "10.0.0.1:65536", ":7001", "[fd00::x]:7001", "a b:7001"})
    void anInvalidAddressIsRefused(String address) {
        assertThrows(IllegalArgumentException.class, () -> NodeAddress.canonical(address));
        assertThrows(IllegalArgumentException.class, () -> new Discovery.Lookup(() -> List.of(address), 1).find());
    }
}
