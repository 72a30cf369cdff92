package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** Concurrent dictionary: 20 workers read, and sometimes write, the map of one actor. */
public record ConcurrentDictionary(int messages) implements Workload {

    private static final int WORKERS = 20;
    private static final int WRITE_PERCENT = 10;
    private static final int KEYS = 1 << 14;

    private record Write(Object from, int key, int value) {}

    private record Read(Object from, int key) {}

    private record Result(int key, int value) {}

    private record Sum(Object to) {}

    private static final Object DONE = new Object();

    private static int valueOf(int key) {
        return key * 31 + 7;
    }

    @Override
    public Object expected() {
        Set<Integer> written = new HashSet<>();
        for (int w = 0; w < WORKERS; w++) {
            var random = new SplittableRandom(w);
            for (int i = 0; i < messages; i++) {
                boolean writes = random.nextInt(100) < WRITE_PERCENT;
                int key = random.nextInt(KEYS);
                if (writes) {
                    written.add(key);
                }
            }
        }
        return written.stream().mapToLong(key -> key + (long) valueOf(key)).sum();
    }

    @Override
    public SavinaActor main() {
        return new Manager(messages);
    }

    private static final class Manager extends SavinaActor {
        private final int messages;
        private Object dictionary = STOP;
        private int done;

        Manager(int messages) {
            this.messages = messages;
        }

        @Override
        protected void receive(Object message) {
            if (message == START) {
                dictionary = spawn(new Dictionary());
                for (int i = 0; i < WORKERS; i++) {
                    tell(spawn(new Worker(i, messages, self(), dictionary)), START);
                }
            } else if (message == DONE) {
                if (++done == WORKERS) {
                    tell(dictionary, new Sum(self()));
                }
            } else {
                finish(message);
                stop();
            }
        }
    }

    private static final class Worker extends SavinaActor {
        private final SplittableRandom random;
        private final Object manager;
        private final Object dictionary;
        private int left;

        Worker(int seed, int messages, Object manager, Object dictionary) {
            random = new SplittableRandom(seed);
            left = messages;
            this.manager = manager;
            this.dictionary = dictionary;
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof Result result && result.value() != 0 && result.value() != valueOf(result.key())) {
                throw new IllegalStateException("nobody has written " + result);
            }
            if (left-- == 0) {
                tell(manager, DONE);
                stop();
                return;
            }
            boolean writes = random.nextInt(100) < WRITE_PERCENT;
            int key = random.nextInt(KEYS);
            tell(dictionary, writes ? new Write(self(), key, valueOf(key)) : new Read(self(), key));
        }
    }

    private static final class Dictionary extends SavinaActor {
        private final Map<Integer, Integer> map = new HashMap<>();

        @Override
        protected void receive(Object message) {
            if (message instanceof Read read) {
                tell(read.from(), new Result(read.key(), map.getOrDefault(read.key(), 0)));
            } else if (message instanceof Write write) {
                map.put(write.key(), write.value());
                tell(write.from(), new Result(write.key(), write.value()));
            } else {
                long sum = 0;
                for (var entry : map.entrySet()) {
                    sum += entry.getKey() + (long) entry.getValue();
                }
                tell(((Sum) message).to(), sum);
                stop();
            }
        }
    }
}
