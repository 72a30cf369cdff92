package io.fibry.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The wheel, compared with a sorted map.
 *
 * <p>Seen to fail: a cascade that reverses its slot; a removal that leaves the bit of its slot; a level computed from
 * the tick alone.
 */
class TimingWheelTest {

    private static final long START = tickNow();

    private final TimingWheel wheel = new TimingWheel();

    /** The alarms of each tick, in the order of their additions. */
    private final TreeMap<Long, List<Alarm>> expected = new TreeMap<>();

    private static long tickNow() {
        return TimerThread.tick(System.nanoTime());
    }

    private static Alarm dueAt(long tick) {
        var alarm = new Alarm();
        long nanosPerTick = 1 << 20;
        alarm.dueAt = System.nanoTime();
        alarm.dueAt += (tick - alarm.tick()) * nanosPerTick;
        assertEquals(tick, alarm.tick());
        return alarm;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void returnsTheAlarmsOfEachTickInOrder(long seed) {
        var random = new Random(seed);
        long now = START;
        assertNull(wheel.poll(now));
        for (int step = 0; step < 20_000; step++) {
            int action = random.nextInt(10);
            if (action < 6) {
                add(now + (1L << random.nextInt(40)) * random.nextInt(4) - random.nextInt(70), now);
            } else if (action < 8) {
                removeOne(random);
            } else {
                now += random.nextInt(1 << random.nextInt(20));
                pollUntil(now);
            }
        }
        pollUntil(Long.MAX_VALUE >> 20);
        assertTrue(expected.isEmpty());
        assertEquals(TimingWheel.NEVER, wheel.nextTick());
    }

    private void add(long tick, long now) {
        Alarm alarm = dueAt(Math.max(1, tick));
        wheel.add(alarm);
        expected.computeIfAbsent(Math.max(alarm.tick(), now), t -> new ArrayList<>())
                .add(alarm);
    }

    private void removeOne(Random random) {
        if (!expected.isEmpty()) {
            long tick = random.nextBoolean() ? expected.firstKey() : expected.lastKey();
            List<Alarm> same = expected.get(tick);
            Alarm removed = same.remove(random.nextInt(same.size()));
            if (same.isEmpty()) {
                expected.remove(tick);
            }
            wheel.remove(removed);
            wheel.remove(removed); // has no effect
        }
    }

    private void pollUntil(long tick) {
        while (!expected.isEmpty() && expected.firstKey() <= tick) {
            assertTrue(wheel.nextTick() <= expected.firstKey());
            for (Alarm alarm : expected.pollFirstEntry().getValue()) {
                Alarm polled = wheel.poll(tick);
                assertNotNull(polled);
                assertEquals(alarm.tick(), polled.tick());
                assertEquals(alarm, polled);
            }
        }
        assertNull(wheel.poll(tick));
        assertTrue(wheel.nextTick() > tick);
    }

    @Test
    void holdsTheMostDistantAlarm() {
        Alarm distant = new Alarm();
        distant.dueAt = System.nanoTime() + Long.MAX_VALUE / 2;
        wheel.add(distant);
        assertNull(wheel.poll(distant.tick() - 1));
        assertEquals(distant, wheel.poll(distant.tick()));
        assertEquals(TimingWheel.NEVER, wheel.nextTick());
    }
}
