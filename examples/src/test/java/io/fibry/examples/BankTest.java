package io.fibry.examples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The bank continues after each kill, and its books are right.
 *
 * <p>Seen to fail: a transfer without its deposit, and a repeated order with another request key.
 */
@Timeout(180)
class BankTest {

    private static final Pattern STATE =
            Pattern.compile("(Process|Day) .* (\\d+) transfers.* all accounts together have 10000\\.00");

    @TempDir
    Path directory;

    private final Random random = new Random();

    @Test
    void itContinuesAfterEachKill() throws Exception {
        long transfers = 0;
        for (int run = 1; run <= 4; run++) {
            try (var bank = new Program("Bank", directory.resolve("bank").toString(), "1")) {
                long atTheBegin = transfers(bank);
                assertTrue(atTheBegin >= transfers, atTheBegin + " after " + transfers);
                transfers = atTheBegin;
                for (int day = run == 4 ? 1 : random.nextInt(3); day > 0; day--) {
                    transfers = transfers(bank);
                }
                TimeUnit.MILLISECONDS.sleep(random.nextInt(1_500)); // the kill comes at any moment
                bank.kill();
            }
        }
        assertTrue(transfers > 0, "there were transfers");
    }

    /** Reads lines until the books have been closed, and returns the number of transfers. */
    private static long transfers(Program bank) throws IOException {
        var output = new StringBuilder();
        for (String line = bank.line(); line != null; line = bank.line()) {
            Matcher state = STATE.matcher(line);
            if (state.matches()) {
                return Long.parseLong(state.group(2));
            }
            output.append(line).append('\n');
        }
        throw new AssertionError("the bank has failed: " + output);
    }
}
