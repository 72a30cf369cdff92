package io.fibry.helidon;

import io.fibry.sockets.RequestPath;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.HttpPrologue;
import io.helidon.http.Status;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * Checks the path and the size of each request before its route is looked up, counts the requests that are handled, and
 * refuses requests beyond the limit and after a stop.
 */
final class RequestFilter implements Filter {

    private final Gate gate;

    RequestFilter(Gate gate) {
        this.gate = gate;
    }

    @Override
    public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        Http2Bodies bodies = Http2Bodies.of(request);
        if (bodies == null) {
            handle(chain, request, response);
            return;
        }
        bodies.guard(request);
        HpackOutput.guard(response);
        try {
            if (isTooLarge(request)) {
                Status status = Status.REQUEST_ENTITY_TOO_LARGE_413;
                response.status(status).send(status.codeText() + " " + status.reasonPhrase());
            } else {
                handle(chain, request, response);
            }
            if (response.hasEntity()) {
                response.commit(); // the client may wait for it before it sends the rest of the body
            }
        } finally {
            bodies.discard(request);
        }
    }

    private void handle(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        if (faultOfPath(request.prologue()) != null) {
            response.status(Status.BAD_REQUEST_400).send("400 Bad Request");
            return;
        }
        if (gate.enterRequest()) {
            try {
                chain.proceed();
            } finally {
                if (!response.headers().contains(HeaderValues.CONNECTION_CLOSE)) {
                    gate.keptOpen();
                }
                gate.leaveRequest();
            }
        } else {
            refuse(request, response);
        }
    }

    /** Helidon refuses such a body only when it has come, and with HTTP/1.1 at once. */
    private static boolean isTooLarge(ServerRequest request) {
        long limit = request.listenerContext().config().maxPayloadSize();
        return limit >= 0 && request.headers().contentLength().orElse(0) > limit;
    }

    /**
     * Helidon's routes see a path without parameters and dot segments, and a proxy may not. Null if there is no fault.
     */
    static @Nullable String faultOfPath(HttpPrologue prologue) {
        if (prologue.fragment().hasValue()) {
            return "has a fragment";
        }
        return RequestPath.fault(prologue.uriPath().rawPath());
    }

    private static boolean isHttp2(ServerRequest request) {
        return request.prologue().protocolVersion().startsWith("2");
    }

    private void refuse(RoutingRequest request, RoutingResponse response) {
        if (gate.isClosed() && !isHttp2(request)) {
            response.header(HeaderNames.CONNECTION, "close"); // HTTP/2 has no such header
        }
        response.status(Status.SERVICE_UNAVAILABLE_503)
                .header(HeaderNames.RETRY_AFTER, "1")
                .send("503 Service Unavailable");
    }
}
