package io.fibry.examples;

import io.fibry.Sink;
import io.fibry.net.TcpAcceptor;
import io.fibry.stereotypes.Stereotypes;
import java.io.PrintStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Scanner;

/** A chat room for "nc localhost 8080". The room is an actor, and so is each user. The argument is the port. */
public final class TcpChat {
    private final Sink<HashSet<Sink<PrintStream>>> room = Stereotypes.def().sink(new HashSet<>());

    public static void main(String[] args) {
        TcpAcceptor server = new TcpChat().start(args.length > 0 ? Integer.parseInt(args[0]) : 8080);
        System.out.println("Connect with: nc localhost " + server.port() + ". Press Ctrl-C to stop.");
    }

    TcpAcceptor start(int port) {
        return Stereotypes.def().tcpAcceptor(port, this::listen).closeOnExit(room);
    }

    private void listen(Socket connection) throws Exception {
        var user = Stereotypes.def().sink(new PrintStream(connection.getOutputStream(), true, StandardCharsets.UTF_8));
        var in = new Scanner(connection.getInputStream(), StandardCharsets.UTF_8);
        user.execute(out -> out.println("Your name?"));
        String name = in.hasNextLine() ? in.nextLine() : "nobody";
        room.execute(users -> users.add(user));
        say(name + " comes in.");
        while (in.hasNextLine()) say(name + ": " + in.nextLine());
        room.execute(users -> users.remove(user));
        say(name + " leaves.");
    }

    private void say(String line) {
        room.execute(users -> users.forEach(user -> user.execute(out -> out.println(line))));
    }
}
