package io.fibry.testing;

import java.io.IOException;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests that need a certificate: one for all tests of the class. */
public abstract class WithCertificate {

    protected static Certificate certificate;
    protected static SSLContext context;

    @BeforeAll
    static void makeCertificate() throws Exception {
        certificate = new Certificate();
        context = certificate.context();
    }

    @AfterAll
    static void deleteCertificate() throws IOException {
        certificate.close();
    }
}
