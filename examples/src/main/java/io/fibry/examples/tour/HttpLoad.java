package io.fibry.examples.tour;

import io.fibry.ActorSystem;
import io.fibry.http.HttpServerActor;
import java.time.Duration;

/** The article's HTTP server under load. */
public final class HttpLoad implements Measure {

    private int failed;

    @Override
    public double perSecond(ActorSystem system, Duration time) throws Exception {
        HttpServerActor server = Measure.stereotypes(system).embeddedHttpServer(0, exchange -> "Hello World!");
        var load = new Load(server.port(), true, "Hello World!");
        double perSecond = load.run(time);
        failed += load.failed();
        return perSecond;
    }

    @Override
    public String remark() {
        return Load.remark(failed) + ", kept alive, an actor for each request";
    }
}
