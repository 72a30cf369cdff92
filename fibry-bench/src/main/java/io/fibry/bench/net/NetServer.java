package io.fibry.bench.net;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;

/** A server in a separate process, from start to {@link #close()}. The program prints its port when it listens. */
final class NetServer implements AutoCloseable {

    private final Process process;
    private final int port;

    private NetServer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        NetPeer peer = NetPeer.valueOf(args[1]);
        NetLoad load = NetLoad.valueOf(args[0]);
        System.out.println(load.isHttp() ? peer.http() : peer.tcp(load.keepsConnections()));
        Thread.currentThread().join(); // some peers do not keep the JVM alive
    }

    /** Starts the server and waits until it listens. */
    static NetServer start(NetLoad load, NetPeer peer, List<String> jvmOptions) throws IOException {
        List<String> command = peer == NetPeer.GO
                ? Programs.go("server", List.of(load.name()))
                : Programs.java(NetServer.class, jvmOptions, load.name(), peer.name());
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var output = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        String port = output.readLine();
        if (port == null) {
            process.destroy();
            throw new IOException("The server of " + peer + " ended before it listened; its error is above.");
        }
        return new NetServer(process, Integer.parseInt(port));
    }

    String url() {
        return "http://127.0.0.1:" + port + "/";
    }

    /** Ends the process and waits for its end. */
    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
