package io.fibry.observer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fibry.observer.TokenCheck.Result;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenCheckTest {

    private static final String TOKEN = "a-token-of-the-test";
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private long now = Long.MAX_VALUE - SECOND / 2; // the clock overflows within the second after a wrong token
    private final TokenCheck check = new TokenCheck(TOKEN, () -> now);

    private static InetAddress address(int number) throws Exception {
        return InetAddress.getByAddress(new byte[] {10, 0, (byte) (number >> 8), (byte) number});
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a-token-of-the-testx", "a-token-of-the-tes", "A-TOKEN-OF-THE-TEST"})
    void onlyTheTokenIsAccepted(String wrong) throws Exception {
        assertEquals(Result.WRONG, check.check(wrong, address(1)));
        assertEquals(Result.RIGHT, check.check(TOKEN, address(2)));
    }

    @Test
    void afterAWrongTokenNoneIsComparedForASecond() throws Exception {
        assertEquals(Result.WRONG, check.check("wrong", address(1)));
        for (String token : List.of(TOKEN, "wrong", TOKEN.toUpperCase(Locale.ROOT))) {
            now += SECOND / 4;
            assertEquals(Result.TOO_SOON, check.check(token, address(1)));
            assertEquals(Result.RIGHT, check.check(TOKEN, address(2)), "another client is not affected");
        }
        now += SECOND / 4;
        assertEquals(Result.RIGHT, check.check(TOKEN, address(1)));
        assertEquals(Result.RIGHT, check.check(TOKEN, address(1)));
    }

    @Test
    void manyClientsDoNotFillTheMemory() throws Exception {
        for (int i = 0; i < 1000; i++) {
            assertEquals(Result.WRONG, check.check("wrong", address(i)));
        }
        assertEquals(Result.TOO_SOON, check.check("wrong", address(1001)));
        now += SECOND;
        assertEquals(Result.RIGHT, check.check(TOKEN, address(1001)));
    }
}
