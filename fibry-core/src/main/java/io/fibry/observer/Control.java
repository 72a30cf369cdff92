package io.fibry.observer;

import com.sun.net.httpserver.HttpExchange;
import io.fibry.Actor;
import io.fibry.ActorInfo;
import io.fibry.ActorSystem;
import io.fibry.StopMode;
import io.fibry.http.HttpParameters;
import io.fibry.http.HttpReply;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops actors, for those who know the token. It comes in a header that browsers send only from the page itself, never for a
 * foreign one.
 */
final class Control {

    static final String HEADER = "Fibry-Token";

    private static final Logger LOG = LoggerFactory.getLogger(Observer.class);

    private final ActorSystem system;
    private final byte[] digest;

    Control(ActorSystem system, String token) {
        this.system = system;
        this.digest = digestOf(token);
    }

    HttpReply stop(HttpExchange exchange) {
        if (!isAllowed(exchange.getRequestHeaders().getFirst(HEADER))) {
            return HttpReply.text("The token is not the right one.").withStatus(403);
        }
        String id = HttpParameters.ofPath(exchange).get("id");
        StopMode mode = HttpParameters.ofQuery(exchange).get("mode", StopMode::valueOf);
        Optional<String> name = nameOf(id);
        Optional<Actor<Object>> actor = name.flatMap(system::find);
        if (actor.isEmpty()) {
            return HttpReply.text("There is no such actor with a name of its own.")
                    .withStatus(404);
        }
        LOG.info("Actor {} is stopped on the observer's page ({})", name.get(), mode);
        actor.get().stop(mode);
        return HttpReply.text("The actor is asked to stop.");
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

    /** Takes the same time for all wrong tokens: the digests are of one length, and all bytes are compared. */
    private boolean isAllowed(@Nullable String token) {
        return token != null && MessageDigest.isEqual(digest, digestOf(token));
    }

    private static byte[] digestOf(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
