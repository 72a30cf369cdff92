package io.fibry.bench.hunt;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Creates the {@link Program} of a seed. Each program draws from a random subset of the kinds, traits, verbs and acts,
 * because a program with a few elements of each kind rarely exercises any of them enough (swarm testing: Groce et al.,
 * ISSTA 2012).
 */
final class Generator {

    /** The strands of a program in which as many threads as possible create entities. */
    private static final int CROWD = 12;

    private final Random random;
    private final List<Step> steps = new ArrayList<>();
    private final List<Kind> kinds;
    private final List<Trait> traits;
    private final List<Verb> verbs;
    private final List<Act> acts;

    private Generator(long seed) {
        random = new Random(seed);
        kinds = some(Kind.values(), 2);
        traits = some(Trait.values(), 3);
        verbs = some(Verb.values(), 3);
        acts = some(Act.values(), 2);
    }

    static Program program(long seed) {
        var generator = new Generator(seed);
        return generator.make(seed);
    }

    private Program make(long seed) {
        switch (random.nextInt(8)) {
            case 0, 1 -> race();
            case 2 -> crowd();
            default -> mixture();
        }
        Duration closeAfter =
                random.nextBoolean() ? Duration.ofMillis(20) : Duration.ofNanos(random.nextInt(3_000_000));
        Duration deadline = Duration.ofMillis(new int[] {0, 5, 20, 50, 200}[random.nextInt(5)]);
        return new Program(seed, List.copyOf(steps), Program.range(steps.size()), closeAfter, deadline);
    }

    private void mixture() {
        int actors = 1 + random.nextInt(5);
        int strands = 1 + random.nextInt(4);
        for (int actor = 0; actor < actors; actor++) {
            start(random.nextInt(3) == 0 ? random.nextInt(strands) : Step.SETUP, actor, any(kinds));
        }
        int ops = 2 + random.nextInt(30);
        for (int i = 0; i < ops; i++) {
            op(random.nextInt(strands), any(verbs), random.nextInt(actors));
        }
    }

    /** Actors with names that two strands start while two others look for them. */
    private void race() {
        int actors = 2 + random.nextInt(6);
        for (int actor = 0; actor < actors; actor++) {
            steps.add(new Step.Start(random.nextInt(2), actor, random.nextBoolean() ? single() : any(kinds)));
            steps.add(new Step.Option(actor, Trait.NAMED));
            if (random.nextBoolean()) {
                steps.add(new Step.Option(actor, Trait.PLATFORM));
            }
            options(actor);
        }
        for (int strand = 2; strand < 4; strand++) {
            Verb verb = random.nextInt(4) == 0 ? Verb.EXPECT : Verb.FIND;
            for (int actor = 0; actor < actors; actor++) {
                steps.add(new Step.Op(strand, verb, actor, any(acts), 1));
            }
        }
        for (int i = 0; i < 4; i++) {
            op(random.nextInt(4), any(verbs), random.nextInt(actors));
        }
    }

    private Kind single() {
        return any(List.of(Kind.ACTOR, Kind.ACTOR_FROM, Kind.REPLYING, Kind.REPLYING_FROM));
    }

    /** Many strands that send to new keys of entities. */
    private void crowd() {
        start(Step.SETUP, 0, Kind.ENTITIES);
        for (int strand = 0; strand < CROWD; strand++) {
            steps.add(new Step.Op(strand, Verb.TELL_NEW_KEYS, 0, Act.NOTHING, 10 + random.nextInt(40)));
        }
        for (int i = 0; i < 4; i++) {
            op(random.nextInt(CROWD), any(verbs), 0);
        }
    }

    private void start(int strand, int actor, Kind kind) {
        steps.add(new Step.Start(strand, actor, kind));
        options(actor);
    }

    private void options(int actor) {
        int options = random.nextInt(4);
        for (int i = 0; i < options; i++) {
            steps.add(new Step.Option(actor, any(traits)));
        }
    }

    private void op(int strand, Verb verb, int actor) {
        steps.add(new Step.Op(strand, verb, actor, verb.sends() ? any(acts) : Act.NOTHING, 1 + random.nextInt(6)));
    }

    /** Returns a random subset of the values, of at least the minimum size. */
    private <T> List<T> some(T[] values, int minimum) {
        var list = new ArrayList<>(Arrays.asList(values));
        Collections.shuffle(list, random);
        return List.copyOf(list.subList(0, minimum + random.nextInt(list.size() - minimum + 1)));
    }

    private <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
