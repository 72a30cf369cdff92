package io.fibry.examples.tour;

import io.fibry.ActorSystem;
import io.fibry.examples.TcpHello;
import io.fibry.net.TcpAcceptor;
import java.time.Duration;

/** The article's TCP server under load. */
public final class TcpLoad implements Measure {

    private int failed;

    @Override
    public double perSecond(ActorSystem system, Duration time) throws Exception {
        TcpAcceptor server = TcpHello.start(0, Measure.stereotypes(system));
        var load = new Load(server.port(), false, "Hello!");
        double perSecond = load.run(time);
        failed += load.failed();
        return perSecond;
    }

    @Override
    public String remark() {
        return Load.remark(failed) + ", closed after each answer, an actor for each";
    }
}
