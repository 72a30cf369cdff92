package io.fibry.examples;

import io.fibry.Sink;
import io.fibry.net.LineConnection;
import io.fibry.net.TcpAcceptor;
import io.fibry.stereotypes.Stereotypes;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A store for "nc localhost 8080": lines such as "set colour blue" and "get colour". The argument is the port. */
public final class LineStore {

    private static final int MAX_LINE_LENGTH = 1000;

    private final Sink<Map<String, String>> store = Stereotypes.def().sink(new HashMap<>());

    public static void main(String[] args) {
        TcpAcceptor server = new LineStore().start(args.length > 0 ? Integer.parseInt(args[0]) : 8080);
        System.out.println("Talk with: nc localhost " + server.port() + ", and stop me with Ctrl-C.");
    }

    TcpAcceptor start(int port) {
        return Stereotypes.def()
                .lineServer(port, MAX_LINE_LENGTH, this::serve, null)
                .closeOnExit(store);
    }

    private void serve(LineConnection client) throws IOException {
        try {
            for (String line = client.read(); line != null; line = client.read()) {
                client.write(answer(line.split(" ", 3)));
            }
        } catch (ProtocolException tooLong) {
            client.write("error: a line has at most " + MAX_LINE_LENGTH + " bytes");
        }
    }

    private String answer(String[] words) {
        var answer = new CompletableFuture<String>();
        if (words[0].equals("set") && words.length == 3) {
            store.execute(map -> {
                map.put(words[1], words[2]);
                answer.complete("ok");
            });
        } else if (words[0].equals("get") && words.length == 2) {
            store.execute(map -> answer.complete(map.getOrDefault(words[1], "")));
        } else {
            answer.complete("error: say \"set NAME VALUE\" or \"get NAME\"");
        }
        return answer.join();
    }
}
