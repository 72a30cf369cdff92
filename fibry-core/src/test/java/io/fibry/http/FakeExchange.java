package io.fibry.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A POST of a text without a network. It returns null wherever the API permits it, as some servers do. */
class FakeExchange extends HttpExchange {

    final ByteArrayOutputStream sent = new ByteArrayOutputStream();

    private final Headers request = new Headers();
    private final Headers response = new Headers();
    private InputStream in;
    private OutputStream out = sent;
    private int status = -1;

    FakeExchange(String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        in = new ByteArrayInputStream(bytes);
        request.set("Host", "localhost");
        request.set("Content-Length", Integer.toString(bytes.length));
    }

    @Override
    public void close() {
        out = OutputStream.nullOutputStream();
    }

    @Override
    public Headers getRequestHeaders() {
        return request;
    }

    @Override
    public Headers getResponseHeaders() {
        return response;
    }

    @Override
    public URI getRequestURI() {
        return URI.create("/");
    }

    @Override
    public String getRequestMethod() {
        return "POST";
    }

    @Override
    public InputStream getRequestBody() {
        return in;
    }

    @Override
    public OutputStream getResponseBody() {
        return out;
    }

    @Override
    public void sendResponseHeaders(int code, long length) {
        status = code;
    }

    @Override
    public int getResponseCode() {
        return status;
    }

    @Override
    public String getProtocol() {
        return "HTTP/1.1";
    }

    @Override
    public void setStreams(InputStream newIn, OutputStream newOut) {
        in = newIn;
        out = newOut;
    }

    @Override
    public InetSocketAddress getRemoteAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1234);
    }

    @Override
    public InetSocketAddress getLocalAddress() {
        throw notAsked();
    }

    @Override
    public HttpContext getHttpContext() {
        throw notAsked();
    }

    @Override
    public HttpPrincipal getPrincipal() {
        throw notAsked();
    }

    @Override
    public Object getAttribute(String name) {
        throw notAsked();
    }

    @Override
    public void setAttribute(String name, Object value) {
        throw notAsked();
    }

    private static AssertionError notAsked() {
        return new AssertionError("the library asks an exchange for nothing but its request and its response");
    }
}
