package io.fibry.helidon;

import io.fibry.helidon.HpackTable.Field;
import io.fibry.helidon.HpackTable.Text;
import io.helidon.common.buffers.BufferData;
import io.helidon.http.http2.Http2ErrorCode;
import io.helidon.http.http2.Http2Exception;
import io.helidon.http.http2.Http2HuffmanDecoder;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * Rewrites blocks of compressed headers so that they refer to no table, and ends the connection if a list is too large.
 * The size of a list is that of RFC 9113 §6.5.2: the decompressed names and values, and 32 bytes for each field. By one
 * thread.
 *
 * <p>Helidon decodes a block before it looks at its size. It also loops forever if an entry is larger than its table.
 * Its table stays empty here, because none of the rewritten fields enters it.
 */
final class HpackInput {

    private static final int MAX_SHIFT = 21; // enough for every length that fits into a block

    private final int maxBytes;
    private final HpackTable table = new HpackTable();
    private final Http2HuffmanDecoder huffman = Http2HuffmanDecoder.create();

    private byte[] block = {};
    private int at;

    HpackInput(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Decodes a block.
     *
     * @return the same fields, each of them literal
     * @throws Http2Exception if the list is too large or the block is malformed
     */
    byte[] rewrite(byte[] compressed) {
        block = compressed;
        at = 0;
        var out = new ByteArrayOutputStream();
        long size = 0;
        while (at < block.length) {
            int first = block[at] & 0xFF;
            if ((first & 0xE0) == 0x20) {
                resize(size);
                continue;
            }
            Field field = field(first);
            size += field.size();
            if (size > maxBytes) {
                throw new Http2Exception(
                        Http2ErrorCode.ENHANCE_YOUR_CALM, "The list of headers has more than " + maxBytes + " bytes");
            }
            write(field, out);
        }
        return out.toByteArray();
    }

    private void resize(long sizeOfList) {
        if (sizeOfList > 0) {
            throw malformed("a change of the table's size follows a field");
        }
        table.resize(integer(5));
    }

    private Field field(int first) {
        if (first >= 0x80) {
            return table.get(integer(7));
        }
        boolean added = first >= 0x40;
        int name = integer(added ? 6 : 4);
        Field field = name == 0 ? new Field(0, text(), text()) : withName(table.get(name));
        if (field.name().length() == 0) {
            throw malformed("a name is empty");
        }
        if (added) {
            table.add(field);
        }
        return field;
    }

    private Field withName(Field other) {
        return new Field(other.pseudo(), other.name(), text());
    }

    private Text text() {
        int start = at;
        boolean compressed = at < block.length && block[at] < 0;
        int bytes = integer(7);
        if (bytes > block.length - at) {
            throw malformed("a string is longer than the block");
        }
        at += bytes;
        int length = compressed
                ? huffman.decodeString(BufferData.create(block, at - bytes, bytes), bytes)
                        .length()
                : bytes;
        return new Text(Arrays.copyOfRange(block, start, at), length);
    }

    /** An integer whose first byte has a prefix of this many bits. */
    private int integer(int bits) {
        int most = (1 << bits) - 1;
        int value = next() & most;
        if (value < most) {
            return value;
        }
        for (int shift = 0; shift <= MAX_SHIFT; shift += 7) {
            int b = next();
            value += (b & 0x7F) << shift;
            if (b < 0x80) {
                return value;
            }
        }
        throw malformed("an integer is too large");
    }

    private int next() {
        if (at == block.length) {
            throw malformed("the block ends within a field");
        }
        return block[at++] & 0xFF;
    }

    /** A literal field that does not enter the table. Helidon accepts the names of pseudo headers by index only. */
    private static void write(Field field, ByteArrayOutputStream out) {
        out.write(field.pseudo());
        if (field.pseudo() == 0) {
            out.writeBytes(field.name().encoded());
        }
        out.writeBytes(field.value().encoded());
    }

    private static Http2Exception malformed(String why) {
        return new Http2Exception(Http2ErrorCode.COMPRESSION, "Malformed headers: " + why);
    }
}
