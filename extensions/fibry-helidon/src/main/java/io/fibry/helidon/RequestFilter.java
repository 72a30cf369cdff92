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
        if (faultOfPath(request.prologue()) != null) {
            response.status(Status.BAD_REQUEST_400).send("400 Bad Request");
            return;
        }
        var body = new Http2Body(request);
        if (body.isTooLarge()) {
            Http2Body.refuse(response);
            return;
        }
        if (!gate.enterRequest()) {
            refuse(request, response);
            return;
        }
        try {
            body.limit();
            chain.proceed();
        } finally {
            body.handled();
            if (!response.headers().contains(HeaderValues.CONNECTION_CLOSE)) {
                gate.keptOpen();
            }
            gate.leaveRequest();
        }
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

    static boolean isHttp2(ServerRequest request) {
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
