package io.fibry.cluster;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.util.HexFormat;

/**
 * Encodes a self-signed certificate, for which the JDK has no API. The format is that of RFC 5280, version 1, in DER
 * (ITU-T X.690).
 */
final class SelfSigned {

    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int UTF8_STRING = 0x0c;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;

    private static final byte[] COMMON_NAME = HexFormat.of().parseHex("0603550403"); // 2.5.4.3
    private static final byte[] ECDSA_WITH_SHA256 =
            element(SEQUENCE, HexFormat.of().parseHex("06082a8648ce3d040302")); // 1.2.840.10045.4.3.2

    private SelfSigned() {}

    /**
     * Returns a certificate without an end of its validity.
     *
     * @param name the common name of the subject, which is also the issuer
     * @param publicKey in the format {@code SubjectPublicKeyInfo}
     * @param signature of the algorithm {@code SHA256withECDSA}, initialized with the private key
     */
    static byte[] certificate(String name, byte[] publicKey, Signature signature) throws GeneralSecurityException {
        byte[] subject =
                element(SEQUENCE, element(SET, element(SEQUENCE, COMMON_NAME, element(UTF8_STRING, utf8(name)))));
        byte[] validity = element(
                SEQUENCE,
                element(GENERALIZED_TIME, utf8("20000101000000Z")),
                element(GENERALIZED_TIME, utf8("99991231235959Z")));
        byte[] serial = element(INTEGER, new byte[] {1});
        byte[] content = element(SEQUENCE, serial, ECDSA_WITH_SHA256, subject, validity, subject, publicKey);
        signature.update(content);
        return element(SEQUENCE, content, ECDSA_WITH_SHA256, element(BIT_STRING, new byte[] {0}, signature.sign()));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns an element: its tag, the length of its content, and the content. */
    private static byte[] element(int tag, byte[]... contents) {
        var content = new ByteArrayOutputStream();
        for (byte[] part : contents) {
            content.writeBytes(part);
        }
        int length = content.size();
        var out = new ByteArrayOutputStream();
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else if (length < 0x100) {
            out.write(0x81);
            out.write(length);
        } else {
            out.write(0x82);
            out.write(length >> Byte.SIZE);
            out.write(length);
        }
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }
}
