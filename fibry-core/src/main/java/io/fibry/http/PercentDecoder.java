package io.fibry.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Decodes parameters. It is strict, because a proxy may decode invalid input differently: a percent sign needs two
 * hexadecimal digits, the decoded bytes have to be UTF-8 without NUL, and a character that is not ASCII has to be
 * encoded.
 */
final class PercentDecoder {

    private static final int LAST_ASCII = 0x7f;

    private PercentDecoder() {}

    /** Decodes a segment of a path. */
    static String ofPath(String text) throws ClientException {
        return isPlain(text, false) ? text : decode(text, false);
    }

    /** Decodes a name or a value of a query, in which a plus sign is a space. */
    static String ofQuery(String text) throws ClientException {
        return isPlain(text, true) ? text : decode(text, true);
    }

    private static boolean isPlain(String text, boolean query) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%' || c > LAST_ASCII || (query && c == '+')) {
                return false;
            }
        }
        return true;
    }

    private static String decode(String text, boolean query) throws ClientException {
        var bytes = ByteBuffer.allocate(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                int value = encoded(text, i);
                if (value == 0) {
                    throw new ClientException(400, "a parameter has a NUL, which ends a text for some programs");
                }
                bytes.put((byte) value);
                i += 2;
            } else if (c > LAST_ASCII) {
                throw new ClientException(400, "a parameter has a character that is neither ASCII nor encoded");
            } else {
                bytes.put((byte) (query && c == '+' ? ' ' : c));
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString(); // it reports errors
        } catch (CharacterCodingException e) {
            throw new ClientException(400, "a parameter is not UTF-8", e);
        }
    }

    private static int encoded(String text, int percent) throws ClientException {
        if (percent + 2 >= text.length()
                || !HexFormat.isHexDigit(text.charAt(percent + 1))
                || !HexFormat.isHexDigit(text.charAt(percent + 2))) {
            throw new ClientException(400, "a percent sign in a parameter is not followed by two hexadecimal digits");
        }
        return HexFormat.fromHexDigits(text, percent + 1, percent + 3);
    }
}
