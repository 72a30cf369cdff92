package io.fibry.helidon;

import io.helidon.common.context.Context;
import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.http.media.MediaContext;
import io.helidon.webserver.ListenerConfig;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.http.DirectHandlers;
import java.util.concurrent.ExecutorService;

/** The listener of an HTTP/2 connection, which a request knows, with the bodies of the connection. */
record Http2Listener(ListenerContext listener, Http2Bodies bodies) implements ListenerContext {

    @Override
    public Context context() {
        return listener.context();
    }

    @Override
    public MediaContext mediaContext() {
        return listener.mediaContext();
    }

    @Override
    public ContentEncodingContext contentEncodingContext() {
        return listener.contentEncodingContext();
    }

    @Override
    public DirectHandlers directHandlers() {
        return listener.directHandlers();
    }

    @Override
    public ListenerConfig config() {
        return listener.config();
    }

    @Override
    public ExecutorService executor() {
        return listener.executor();
    }
}
