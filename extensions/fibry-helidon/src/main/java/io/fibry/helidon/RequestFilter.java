package io.fibry.helidon;

import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;

/** Counts the requests in work, and refuses those beyond the limit and those after a stop. */
final class RequestFilter implements Filter {

    private final Gate gate;

    RequestFilter(Gate gate) {
        this.gate = gate;
    }

    @Override
    public void filter(FilterChain chain, RoutingRequest request, RoutingResponse response) {
        if (!gate.enterRequest()) {
            refuse(request, response);
            return;
        }
        try {
            chain.proceed();
        } finally {
            gate.leaveRequest();
        }
    }

    private void refuse(RoutingRequest request, RoutingResponse response) {
        if (gate.isClosed() && !request.prologue().protocolVersion().startsWith("2")) {
            response.header(HeaderNames.CONNECTION, "close"); // HTTP/2 has no such header
        }
        response.status(Status.SERVICE_UNAVAILABLE_503)
                .header(HeaderNames.RETRY_AFTER, "1")
                .send("503 Service Unavailable");
    }
}
