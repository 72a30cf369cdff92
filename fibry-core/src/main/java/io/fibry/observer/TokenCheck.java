package io.fibry.observer;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Compares tokens, and slows down clients that guess. For a second after a wrong token, further tokens of the same
 * address are not compared, not even the right one: otherwise its acceptance would tell it from the wrong ones. No
 * thread waits meanwhile, so that many guesses do not take the requests of others. For any number of threads.
 */
final class TokenCheck {

    enum Result {
        RIGHT,
        WRONG,
        /** Not compared. */
        TOO_SOON
    }

    private static final long PENALTY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int MOST_CLIENTS = 1000;

    private final byte[] digest;
    private final LongSupplier nanoClock;
    private final ReentrantLock lock = new ReentrantLock();

    /** When each client gave its last wrong token, the oldest first. Guarded by the lock. */
    private final Map<InetAddress, Long> wrong = new LinkedHashMap<>();

    TokenCheck(String token, LongSupplier nanoClock) {
        this.digest = digestOf(token);
        this.nanoClock = nanoClock;
    }

    /** Under the lock, so that of many tokens that a client sends at the same time, only one is compared. */
    Result check(String token, InetAddress client) {
        lock.lock();
        try {
            long now = nanoClock.getAsLong();
            wrong.values().removeIf(time -> now - time >= PENALTY_NANOS);
            if (wrong.containsKey(client) || wrong.size() >= MOST_CLIENTS) {
                return Result.TOO_SOON;
            }
            if (isRight(token)) {
                return Result.RIGHT;
            }
            wrong.put(client, now);
            return Result.WRONG;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the same time for all wrong tokens: the digests are of one length, and all bytes are compared. */
    private boolean isRight(String token) {
        return MessageDigest.isEqual(digest, digestOf(token));
    }

    private static byte[] digestOf(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
