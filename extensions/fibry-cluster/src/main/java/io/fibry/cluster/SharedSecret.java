package io.fibry.cluster;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Mutual TLS authentication by a secret that all nodes have, without a certificate authority.
 *
 * <p>Each context has a new key pair, and a certificate that it signs itself. The subject of the certificate is a
 * message authentication code of the public key, with a key derived from the secret. A peer accepts a certificate if it
 * computes the same code. The handshake proves that the other side has the private key. Therefore only a node with the
 * secret can create an accepted certificate, and a copied certificate is useless.
 *
 * <p>A client without the secret can obtain the certificate of a node, and test guesses of the secret. The key is
 * therefore derived with {@value #ITERATIONS} iterations of PBKDF2, and short secrets are refused.
 */
final class SharedSecret {

    /** The minimum number of characters of a secret. */
    static final int SHORTEST = 20;

    private static final int ITERATIONS = 200_000;
    private static final int KEY_BITS = 256;
    private static final byte[] SALT = "io.fibry.cluster".getBytes(StandardCharsets.UTF_8);
    private static final String MAC = "HmacSHA256";

    private SharedSecret() {}

    /** Returns a context with which nodes with the same secret accept each other. */
    static SSLContext context(String secret) {
        try {
            SecretKeySpec key = key(secret);
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair pair = generator.generateKeyPair();
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(pair.getPrivate());
            byte[] publicKey = pair.getPublic().getEncoded();
            byte[] certificate = SelfSigned.certificate(code(key, publicKey), publicKey, signature);
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(null, null);
            keys.setKeyEntry("node", pair.getPrivate(), new char[0], new Certificate[] {
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate))
            });
            KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
            own.init(keys, new char[0]);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own.getKeyManagers(), new TrustManager[] {new Trust(key)}, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this JVM does not support the cryptography of a shared secret", e);
        }
    }

    private static SecretKeySpec key(String secret) throws GeneralSecurityException {
        var spec = new PBEKeySpec(secret.toCharArray(), SALT, ITERATIONS, KEY_BITS);
        byte[] key = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                .generateSecret(spec)
                .getEncoded();
        return new SecretKeySpec(key, MAC);
    }

    private static String code(SecretKeySpec key, byte[] publicKey) throws GeneralSecurityException {
        Mac mac = Mac.getInstance(MAC);
        mac.init(key);
        return HexFormat.of().formatHex(mac.doFinal(publicKey));
    }

    /**
     * Accepts certificates of nodes with the same secret. The host is irrelevant, since each of them may be any node.
     */
    private static final class Trust extends X509ExtendedTrustManager {
        private final SecretKeySpec key;

        Trust(SecretKeySpec key) {
            this.key = key;
        }

        private void check(X509Certificate[] chain) throws CertificateException {
            try {
                String expected = "CN=" + code(key, chain[0].getPublicKey().getEncoded());
                String subject = chain[0].getSubjectX500Principal().getName();
                if (!MessageDigest.isEqual(
                        expected.getBytes(StandardCharsets.UTF_8), subject.getBytes(StandardCharsets.UTF_8))) {
                    throw new CertificateException("the other node does not have the secret of this cluster");
                }
            } catch (GeneralSecurityException e) {
                throw e instanceof CertificateException c ? c : new CertificateException(e);
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            check(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            check(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            check(chain);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
