package io.fibry.helidon;

/** An endpoint at its path. */
record WebSocketRoute(String path, WebSocketEndpoint endpoint, WebSocketOptions options) {}
