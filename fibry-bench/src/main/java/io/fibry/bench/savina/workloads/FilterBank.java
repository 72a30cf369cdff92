package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * Filter bank: a signal passes through 8 channels, each a chain of actors that delay, filter and sample it, and is
 * recombined.
 */
public record FilterBank(int samples) implements Workload {

    private static final int CHANNELS = 8;
    private static final int COLUMNS = 32;

    private record Sample(double value) {}

    private record Tagged(int channel, double value) {}

    /** A filter with finite impulse response; with a single tap at the end it is a delay. */
    private static final class Fir implements DoubleUnaryOperator {
        private final double[] taps;
        private final double[] last;
        private int at;

        Fir(double[] taps) {
            this.taps = taps;
            last = new double[taps.length];
        }

        @Override
        public double applyAsDouble(double value) {
            last[at] = value;
            double sum = 0;
            for (int i = 0; i < taps.length; i++) {
                sum += taps[i] * last[(at + taps.length - i) % taps.length];
            }
            at = (at + 1) % taps.length;
            return sum;
        }
    }

    /** Passes every n-th sample, and replaces the others with zero. */
    private static final class Sampler implements DoubleUnaryOperator {
        private int count;

        @Override
        public double applyAsDouble(double value) {
            return count++ % CHANNELS == 0 ? value : 0;
        }
    }

    private static double[] delay(int columns) {
        var taps = new double[columns];
        taps[columns - 1] = 1;
        return taps;
    }

    private static double[] taps(int channel, int sign) {
        var taps = new double[COLUMNS];
        for (int i = 0; i < COLUMNS; i++) {
            taps[i] = sign * Math.cos(i * (channel + 1.0)) / COLUMNS;
        }
        return taps;
    }

    private static List<DoubleUnaryOperator> stages(int channel) {
        return List.of(
                new Fir(delay(channel + 1)),
                new Fir(taps(channel, 1)),
                new Sampler(),
                new Fir(delay(CHANNELS - channel)),
                new Fir(taps(channel, -1)));
    }

    private static double signal(int i) {
        return Math.sin(i * 0.1) + i % 7;
    }

    @Override
    public Object expected() {
        var sums = new double[samples];
        for (int c = 0; c < CHANNELS; c++) {
            List<DoubleUnaryOperator> stages = stages(c);
            for (int i = 0; i < samples; i++) {
                double value = signal(i);
                for (DoubleUnaryOperator stage : stages) {
                    value = stage.applyAsDouble(value);
                }
                sums[i] += value;
            }
        }
        double digest = 0;
        for (double sum : sums) {
            digest = digest * 0.5 + sum;
        }
        return digest;
    }

    @Override
    public SavinaActor main() {
        return new Source(samples);
    }

    private static final class Source extends SavinaActor {
        private final int samples;

        Source(int samples) {
            this.samples = samples;
        }

        @Override
        protected void receive(Object message) {
            if (message != START) {
                finish(message);
                stop();
                return;
            }
            Object integrator = spawn(new Integrator(samples, self()));
            var heads = new Object[CHANNELS];
            for (int c = 0; c < CHANNELS; c++) {
                Object next = spawn(new Tagger(c, integrator, samples));
                for (DoubleUnaryOperator stage : stages(c).reversed()) {
                    next = spawn(new Stage(stage, next, samples));
                }
                heads[c] = next;
            }
            for (int i = 0; i < samples; i++) {
                var sample = new Sample(signal(i));
                for (Object head : heads) {
                    tell(head, sample);
                }
            }
        }
    }

    private static final class Stage extends SavinaActor {
        private final DoubleUnaryOperator stage;
        private final Object next;
        private int left;

        Stage(DoubleUnaryOperator stage, Object next, int samples) {
            this.stage = stage;
            this.next = next;
            left = samples;
        }

        @Override
        protected void receive(Object message) {
            tell(next, new Sample(stage.applyAsDouble(((Sample) message).value())));
            if (--left == 0) {
                stop();
            }
        }
    }

    private static final class Tagger extends SavinaActor {
        private final int channel;
        private final Object integrator;
        private int left;

        Tagger(int channel, Object integrator, int samples) {
            this.channel = channel;
            this.integrator = integrator;
            left = samples;
        }

        @Override
        protected void receive(Object message) {
            tell(integrator, new Tagged(channel, ((Sample) message).value()));
            if (--left == 0) {
                stop();
            }
        }
    }

    /** Combines the samples of all channels, in order. */
    private static final class Integrator extends SavinaActor {
        private final Object source;
        private final List<ArrayDeque<Tagged>> waiting = new java.util.ArrayList<>();
        private int empty = CHANNELS;
        private int left;
        private double digest;

        Integrator(int samples, Object source) {
            left = samples;
            this.source = source;
            for (int c = 0; c < CHANNELS; c++) {
                waiting.add(new ArrayDeque<>());
            }
        }

        @Override
        protected void receive(Object message) {
            var tagged = (Tagged) message;
            ArrayDeque<Tagged> channel = waiting.get(tagged.channel());
            empty -= channel.isEmpty() ? 1 : 0;
            channel.add(tagged);
            if (empty == 0) {
                double sum = 0;
                for (ArrayDeque<Tagged> one : waiting) {
                    sum += one.remove().value();
                    empty += one.isEmpty() ? 1 : 0;
                }
                digest = digest * 0.5 + sum;
                if (--left == 0) {
                    tell(source, digest);
                    stop();
                }
            }
        }
    }
}
