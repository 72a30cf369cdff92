package io.fibry.helidon;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.helidon.common.buffers.BufferData;
import io.helidon.http.http2.Http2ErrorCode;
import io.helidon.http.http2.Http2Exception;
import io.helidon.http.http2.Http2HuffmanDecoder;
import java.util.HexFormat;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks of compressed headers are rewritten without references, and malformed ones are refused. */
class HpackInputTest {

    private static final String[] PSEUDO = {"", ":authority", ":method", "", ":path", "", ":scheme", "", ":status"};

    private final HpackInput input = new HpackInput(1_000);

    /** The fields of a block whose fields are all literal. */
    private static String read(byte[] rewritten) {
        var fields = new StringJoiner("; ");
        BufferData block = BufferData.create(rewritten);
        while (block.available() > 0) {
            int pseudo = block.read();
            String name = pseudo > 0 ? PSEUDO[pseudo] : text(block);
            fields.add(name + "=" + text(block));
        }
        return fields.toString();
    }

    private static String text(BufferData block) {
        int first = block.read();
        int length = block.readHpackInt(first, 7);
        return first >= 0x80
                ? Http2HuffmanDecoder.create().decodeString(block, length)
                : block.readString(length, ISO_8859_1);
    }

    private String rewritten(String hex) {
        return read(input.rewrite(HexFormat.of().parseHex(hex.replace(" ", ""))));
    }

    /** RFC 7541, appendix C.3: three requests on one connection. */
    @Test
    void requestsWithPlainStrings() {
        assertEquals(
                ":method=GET; :scheme=http; :path=/; :authority=www.example.com",
                rewritten("8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d"));
        assertEquals(
                ":method=GET; :scheme=http; :path=/; :authority=www.example.com; cache-control=no-cache",
                rewritten("8286 84be 5808 6e6f 2d63 6163 6865"));
        assertEquals(
                ":method=GET; :scheme=https; :path=/index.html; :authority=www.example.com; custom-key=custom-value",
                rewritten("8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65"));
    }

    /** RFC 7541, appendix C.4: the same with Huffman's code. */
    @Test
    void requestsWithHuffmanCode() {
        assertEquals(
                ":method=GET; :scheme=http; :path=/; :authority=www.example.com",
                rewritten("8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff"));
        assertEquals(
                ":method=GET; :scheme=http; :path=/; :authority=www.example.com; cache-control=no-cache",
                rewritten("8286 84be 5886 a8eb 1064 9cbf"));
        assertEquals(
                ":method=GET; :scheme=https; :path=/index.html; :authority=www.example.com; custom-key=custom-value",
                rewritten("8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf"));
    }

    /** Sizes are those after decompression: "www.example.com" has 15 bytes, its code 12. */
    @Test
    void theTableEvictsTheOldestEntries() {
        assertEquals("", rewritten("3f 3b")); // 90 bytes: one entry of 57, but not two
        assertEquals(
                ":authority=www.example.com; a=b",
                rewritten("41 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff 40 0161 0162")); // an entry of 57 and one of 34 bytes
        assertEquals("a=b", rewritten("be"));
        assertThrows(Http2Exception.class, () -> rewritten("bf"));
    }

    @Test
    void anEntryThatIsLargerThanTheTableEmptiesIt() {
        rewritten("3f 09 40 0161 0162"); // 40 bytes
        assertEquals("a=b", rewritten("be"));
        assertEquals("name=1234567890", rewritten("40 046e616d65 0a31323334353637383930"));
        assertThrows(Http2Exception.class, () -> rewritten("be"));
    }

    @Test
    void aListMayHaveAsManyBytesAsAreAllowedAndNotOneMore() {
        String name = "00 0161"; // "a", not added: 33 bytes and the value
        assertEquals("a=" + "x".repeat(967), rewritten(name + "7fc806" + "78".repeat(967)));
        var e = assertThrows(Http2Exception.class, () -> rewritten(name + "7fc906" + "78".repeat(968)));
        assertEquals(Http2ErrorCode.ENHANCE_YOUR_CALM, e.code());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "80", // an index 0
                "be", // no such entry
                "ff", // the index is cut off
                "ffffffffffff0f", // an index of 35 bits
                "40", // the name is cut off
                "40 0161", // the value is missing
                "40 0161 02 62", // the value is cut off
                "40 7fffffffff0f", // a length of 32 bits
                "00 00 0161", // an empty name
                "82 20", // a change of the size after a field
                "3f e2 1f", // a size of 4,097 bytes
                "40 0161 81 00", // no Huffman code
            })
    void malformedBlocksAreRefused(String hex) {
        var e = assertThrows(Http2Exception.class, () -> rewritten(hex));
        assertEquals(Http2ErrorCode.COMPRESSION, e.code());
    }
}
