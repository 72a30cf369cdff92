package io.fibry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.net.LineHandler;
import io.fibry.net.TcpOptions;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.testing.Client;
import io.fibry.testing.NoLeftovers;
import java.net.InetAddress;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The code of the Javadoc of the PROXY protocol, compiled and run. */
@ExtendWith(NoLeftovers.class)
@Timeout(60)
class ProxySnippets {

    @Test
    void proxies() throws Exception {
        LineHandler echo = client -> client.write(client.client() + " says " + client.read());
        // @start region="proxies"
        Set<InetAddress> proxies = Set.of(InetAddress.getLoopbackAddress());
        var options = TcpOptions.defaults().trustedProxies(proxies::contains);
        // @end
        try (var system = ActorSystem.create();
                var server = Stereotypes.fibers().in(system).lineServer(0, 100, echo, options);
                var client = new Client(server.port())) {
            client.send("PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\nhello\n");
            assertEquals("/192.0.2.1:56324 says hello\n", client.receiveAll());
        }
    }
}
