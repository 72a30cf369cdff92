package io.fibry.examples;

import io.fibry.net.LineConnection;
import io.fibry.net.TcpAcceptor;
import io.fibry.stereotypes.Stereotypes;
import java.net.ProtocolException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A key-value store for "nc localhost 8080", with commands such as "set colour blue" and "get colour". Argument: the
 * port.
 */
public final class LineStore {
    private final Map<String, String> store = new ConcurrentHashMap<>();

    public static void main(String[] args) {
        TcpAcceptor server = new LineStore().start(args.length > 0 ? Integer.parseInt(args[0]) : 8080);
        System.out.println("Connect with: nc localhost " + server.port() + ". Press Ctrl-C to stop.");
    }

    TcpAcceptor start(int port) {
        return Stereotypes.def().lineServer(port, 1000, this::serve);
    }

    private void serve(LineConnection client) throws Exception {
        try {
            for (String line = client.read(); line != null; line = client.read())
                client.write(answer(line.split(" ", 3)));
        } catch (ProtocolException tooLong) {
            client.write("error: a line has at most 1000 bytes");
        }
    }

    private String answer(String[] words) {
        if (words[0].equals("set") && words.length == 3) {
            store.put(words[1], words[2]);
            return "ok";
        }
        boolean get = words[0].equals("get") && words.length == 2;
        return get ? store.getOrDefault(words[1], "") : "error: say \"set NAME VALUE\" or \"get NAME\"";
    }
}
