package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;

/** Chameneos: 100 creatures meet in pairs at a mall, and change their colors, until a number of meetings is reached. */
public record Chameneos(int meetings) implements Workload {

    private static final int CREATURES = 100;

    /** A request for a meeting, which the mall forwards to the waiting creature. */
    private record Meet(int color, Object from) {}

    private record Change(int color) {}

    private record Count(int meetings) {}

    private static final Object OVER = new Object();

    /** Returns the color of both after a meeting: their common color, or the third one if their colors differ. */
    private static int complement(int one, int other) {
        return one == other ? one : 3 - one - other;
    }

    @Override
    public Object expected() {
        return 2 * meetings;
    }

    @Override
    public SavinaActor main() {
        return new Mall(meetings);
    }

    private static final class Mall extends SavinaActor {
        private final Object[] creatures = new Object[CREATURES];
        private int left;
        private Object waiting = STOP;
        private int counted;
        private int sum;

        Mall(int meetings) {
            left = meetings;
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof Meet meet) {
                meet(meet);
            } else if (message instanceof Count count) {
                sum += count.meetings();
                if (++counted == CREATURES) {
                    finish(sum);
                    stop();
                }
            } else {
                for (int i = 0; i < CREATURES; i++) {
                    creatures[i] = spawn(new Creature(i % 3, self()));
                    tell(creatures[i], START);
                }
            }
        }

        private void meet(Meet meet) {
            if (left == 0) {
                tell(meet.from(), OVER);
            } else if (waiting == STOP) {
                waiting = meet.from();
            } else {
                left--;
                tell(waiting, meet);
                waiting = STOP;
            }
        }
    }

    private static final class Creature extends SavinaActor {
        private final Object mall;
        private int color;
        private int meetings;

        Creature(int color, Object mall) {
            this.color = color;
            this.mall = mall;
        }

        @Override
        protected void receive(Object message) {
            if (message == OVER) {
                tell(mall, new Count(meetings));
                stop();
                return;
            }
            if (message instanceof Meet meet) {
                color = complement(color, meet.color());
                meetings++;
                tell(meet.from(), new Change(color));
            } else if (message instanceof Change change) {
                color = change.color();
                meetings++;
            }
            tell(mall, new Meet(color, self()));
        }
    }
}
