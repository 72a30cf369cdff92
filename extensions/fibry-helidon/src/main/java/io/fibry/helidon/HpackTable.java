package io.fibry.helidon;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.helidon.http.http2.Http2ErrorCode;
import io.helidon.http.http2.Http2Exception;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** The static and the dynamic table of HPACK, RFC 7541, for the headers that one client sends. By one thread. */
final class HpackTable {

    /** The maximum size that the server accepts. It announces no other, so this is HTTP/2's default. */
    static final int MAX_SIZE = 4096;

    private static final int OVERHEAD = 32; // of each field, in the table and in the size of a list

    /**
     * A string as it is on the wire, with its prefix.
     *
     * @param length its length after decompression
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Text(byte[] encoded, int length) {}

    /**
     * A header field.
     *
     * @param pseudo the index of its name in the static table if it is a pseudo header, else 0
     */
    record Field(int pseudo, Text name, Text value) {
        int size() {
            return name.length() + value.length() + OVERHEAD;
        }
    }

    private static final List<Field> STATIC =
            Stream.of("""
                :authority
                :method=GET
                :method=POST
                :path=/
                :path=/index.html
                :scheme=http
                :scheme=https
                :status=200
                :status=204
                :status=206
                :status=304
                :status=400
                :status=404
                :status=500
                accept-charset
                accept-encoding=gzip, deflate
                accept-language
                accept-ranges
                accept
                access-control-allow-origin
                age
                allow
                authorization
                cache-control
                content-disposition
                content-encoding
                content-language
                content-length
                content-location
                content-range
                content-type
                cookie
                date
                etag
                expect
                expires
                from
                host
                if-match
                if-modified-since
                if-none-match
                if-range
                if-unmodified-since
                last-modified
                link
                location
                max-forwards
                proxy-authenticate
                proxy-authorization
                range
                referer
                refresh
                retry-after
                server
                set-cookie
                strict-transport-security
                transfer-encoding
                user-agent
                vary
                via
                www-authenticate
                """.split("\n")).map(HpackTable::field).toList();

    private final Deque<Field> dynamic = new ArrayDeque<>(); // the newest is the first
    private int maxSize = MAX_SIZE;
    private int size;

    private static Field field(String line) {
        int value = line.indexOf('=');
        String name = value < 0 ? line : line.substring(0, value);
        return new Field(pseudo(name), text(name), text(value < 0 ? "" : line.substring(value + 1)));
    }

    private static Text text(String ascii) {
        var encoded = new ByteArrayOutputStream();
        encoded.write(ascii.length()); // all are shorter than 127
        encoded.writeBytes(ascii.getBytes(ISO_8859_1));
        return new Text(encoded.toByteArray(), ascii.length());
    }

    private static int pseudo(String name) {
        return switch (name) {
            case ":authority" -> 1;
            case ":method" -> 2;
            case ":path" -> 4;
            case ":scheme" -> 6;
            case ":status" -> 8;
            default -> 0;
        };
    }

    Field get(int index) {
        if (index > 0 && index <= STATIC.size()) {
            return STATIC.get(index - 1);
        }
        int skip = index - STATIC.size() - 1;
        if (skip < 0 || skip >= dynamic.size()) {
            throw new Http2Exception(Http2ErrorCode.COMPRESSION, "The table of headers has no entry " + index);
        }
        Iterator<Field> fields = dynamic.iterator();
        while (skip-- > 0) {
            fields.next();
        }
        return fields.next();
    }

    /** Adds a field. One that is larger than the table empties it and is not added. */
    void add(Field field) {
        evict(maxSize - field.size());
        if (field.size() <= maxSize) {
            dynamic.addFirst(field);
            size += field.size();
        }
    }

    void resize(int to) {
        if (to > MAX_SIZE) {
            throw new Http2Exception(Http2ErrorCode.COMPRESSION, "The table of headers may have at most 4,096 bytes");
        }
        maxSize = to;
        evict(to);
    }

    private void evict(int target) {
        while (size > target && !dynamic.isEmpty()) {
            size -= dynamic.removeLast().size();
        }
    }
}
