package io.fibry.examples;

import io.fibry.http.HttpServerActor;
import io.fibry.stereotypes.Stereotypes;

/** A web server; each request has its own actor. The argument is the port, by default 8080; 0 selects a free port. */
public final class HttpHello {

    private HttpHello() {}

    public static void main(String[] args) {
        HttpServerActor server = start(args.length > 0 ? Integer.parseInt(args[0]) : 8080);
        System.out.println("Listening on http://localhost:" + server.port() + "/. Press Ctrl-C to stop.");
    }

    static HttpServerActor start(int port) {
        return Stereotypes.def().embeddedHttpServer(port, exchange -> "Hello World!");
    }
}
