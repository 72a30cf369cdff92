package io.fibry.observer;

import com.sun.net.httpserver.HttpExchange;
import io.fibry.Actor;
import io.fibry.ActorInfo;
import io.fibry.ActorSystem;
import io.fibry.StopMode;
import io.fibry.dispatch.LogText;
import io.fibry.http.HttpParameters;
import io.fibry.http.HttpReply;
import io.fibry.sockets.ClientLog;
import java.net.InetAddress;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops actors for clients that know the token. The token is in a header that browsers send only from the page itself,
 * never from a foreign page.
 */
final class StopControl {

    static final String HEADER = "Fibry-Token";

    private static final Logger LOG = LoggerFactory.getLogger(Observer.class);

    private final ActorSystem system;
    private final TokenCheck tokens;
    private final ClientLog wrong = new ClientLog(LOG);
    private final Supplier<String> ownName;

    /** The name is that of the server, for the log. */
    StopControl(ActorSystem system, TokenCheck tokens, Supplier<String> ownName) {
        this.system = system;
        this.tokens = tokens;
        this.ownName = ownName;
    }

    HttpReply stop(HttpExchange exchange) {
        HttpReply refusal = refusal(exchange);
        if (refusal != null) {
            return refusal;
        }
        String id = HttpParameters.ofPath(exchange).get("id");
        StopMode mode = HttpParameters.ofQuery(exchange).get("mode", StopMode::valueOf);
        Optional<String> name = nameOf(id);
        Optional<Actor<Object>> actor = name.flatMap(system::find);
        if (actor.isEmpty()) {
            return HttpReply.text("There is no such actor with a name of its own.")
                    .withStatus(404);
        }
        LOG.info("Actor {} is stopped on the observer's page ({})", LogText.plain(name.get()), mode);
        actor.get().stop(mode);
        return HttpReply.text("The actor is asked to stop.");
    }

    /**
     * A request without a token is no guess: any program may send it, also one that does not know that there is a
     * token.
     */
    private @Nullable HttpReply refusal(HttpExchange exchange) {
        String token = exchange.getRequestHeaders().getFirst(HEADER);
        InetAddress client = exchange.getRemoteAddress().getAddress();
        return switch (token == null ? TokenCheck.Result.WRONG : tokens.check(token, client)) {
            case RIGHT -> null;
            case WRONG -> {
                if (token != null) {
                    wrong.info(ownName.get(), ", exchange with " + client.getHostAddress() + ": the token is wrong");
                }
                yield HttpReply.text("The token is not the right one.").withStatus(403);
            }
            case TOO_SOON -> {
                exchange.getResponseHeaders().set("Retry-After", "1");
                yield HttpReply.text("The last token was wrong. Try again in a second.")
                        .withStatus(429);
            }
        };
    }

    /** Writes how many lines about wrong tokens were left out. */
    void end() {
        wrong.end();
    }

    /** Empty if several actors are called so: the name may be the label of one, and belong to another. */
    private Optional<String> nameOf(String id) {
        Optional<String> name = system.actors()
                .filter(actor -> actor.id().equals(id))
                .map(ActorInfo::name)
                .findFirst();
        return name.filter(given -> !given.isBlank()
                && system.actors().filter(actor -> actor.name().equals(given)).count() == 1);
    }
}
