package io.fibry.spring;

import io.fibry.ActorInfo;
import io.fibry.ActorSystem;
import io.fibry.dispatch.JsonObject;
import io.fibry.dispatch.LogText;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The actuator endpoint {@code fibry}: views of the actor system, as JSON or text. They contain names, classes, numbers
 * and stacks of actors, and no contents of messages. The operations return JSON as a string, so that it has the format
 * of {@link io.fibry.SystemDump#toJson}, and needs no reflection in a native image.
 */
@Endpoint(id = "fibry")
final class FibryEndpoint {

    static final int DEFAULT_LIMIT = 100;
    static final int MAX_LIMIT = 1_000;

    private static final String TEXT = "text/plain;charset=UTF-8";
    private static final List<String> VIEWS = List.of("dump", "stuck", "actors");

    private final ActorSystem system;
    private final Duration stuckAfter;

    /** @param stuckAfter the default time of the view {@code stuck} */
    FibryEndpoint(ActorSystem system, Duration stuckAfter) {
        this.system = system;
        this.stuckAfter = stuckAfter;
    }

    @ReadOperation
    String views() {
        return new JsonObject()
                .text("system", system.name())
                .array("views", VIEWS, JsonObject::quoted)
                .toString();
    }

    /**
     * Returns a view as JSON.
     *
     * @param limit the maximum number of actors in {@code stuck} and {@code actors}
     * @param name a part of the names of the actors in {@code stuck} and {@code actors}
     * @param after the time after which an actor is in {@code stuck}
     */
    @ReadOperation
    String view(@Selector String view, @Nullable Integer limit, @Nullable String name, @Nullable Duration after) {
        return view.equals("dump")
                ? system.dump().toJson()
                : found(view, limit, name, after).toJson(system.name());
    }

    /** As {@link #view}, for a client that accepts only text. */
    @ReadOperation(produces = TEXT)
    String textView(@Selector String view, @Nullable Integer limit, @Nullable String name, @Nullable Duration after) {
        return view.equals("dump")
                ? system.dump().toString()
                : found(view, limit, name, after).toText();
    }

    private Found found(String view, @Nullable Integer limit, @Nullable String name, @Nullable Duration after) {
        int most = limit == null ? DEFAULT_LIMIT : limit;
        if (most < 1 || most > MAX_LIMIT) {
            throw invalid("The limit " + most + " is out of range: set limit to a number from 1 to " + MAX_LIMIT);
        }
        Duration time = after == null ? stuckAfter : after;
        if (time.isNegative()) {
            throw invalid("The time " + time + " is negative: set after to a time such as 10s");
        }
        Stream<ActorInfo> actors = switch (view) {
            case "stuck" -> system.stuck(time).stream();
            case "actors" -> system.actors();
            default ->
                throw invalid(
                        "There is no view " + LogText.plain(view) + ": request one of " + String.join(", ", VIEWS));
        };
        List<ActorInfo> some = actors.filter(
                        actor -> name == null || actor.name().contains(name))
                .limit(most + 1L) // the last one only shows that there are more
                .toList();
        return new Found(some.subList(0, Math.min(most, some.size())), some.size() <= most);
    }

    /** The client gets the text as the reason of a status 400, if the application shows the messages of errors. */
    private static InvalidEndpointRequestException invalid(String text) {
        return new InvalidEndpointRequestException(text, text);
    }

    /** @param complete whether there are no more actors */
    private record Found(List<ActorInfo> actors, boolean complete) {

        String toJson(String system) {
            return new JsonObject()
                    .text("system", system)
                    .plain("complete", complete)
                    .array("actors", actors, ActorInfo::toJson)
                    .toString();
        }

        String toText() {
            String text = actors.stream().map(ActorInfo::toString).collect(Collectors.joining("\n"));
            return complete ? text : text + "\n.. there are more actors";
        }
    }
}
