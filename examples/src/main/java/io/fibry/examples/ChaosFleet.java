package io.fibry.examples;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorSystem;
import io.fibry.StopMode;
import io.fibry.SupervisorSpec;
import io.fibry.SupervisorSpec.Restart;
import io.fibry.examples.fleet.Foreman;
import io.fibry.examples.fleet.Foreman.Report;
import java.time.Duration;
import java.util.Random;

/**
 * Eight workers execute jobs. After every tenth job, the actor "chaos" stops a random worker, which it finds by name.
 * The supervisor starts a replacement. The foreman watches the workers, and reassigns the unfinished jobs of a stopped
 * worker. Every job is done exactly once. The arguments are the number of jobs, by default 2000, and the random seed,
 * by default 42.
 * {@code mvn -q -pl examples -am compile exec:exec -Dexample=ChaosFleet -Dargs="2000 42"}
 */
public final class ChaosFleet {
    private static final int WORKERS = 8;
    private static final int JOBS_BETWEEN = 10;

    private ChaosFleet() {}

    public static void main(String[] args) {
        int jobs = args.length > 0 ? Integer.parseInt(args[0]) : 2_000;
        var random = new Random(args.length > 1 ? Long.parseLong(args[1]) : 42);
        var system = ActorSystem.create();
        var chaos = system.actor("chaos").newActor((Integer jobsDone) -> endWorker(system, random));
        var foreman = new Foreman(jobs, jobsDone -> {
            if (jobsDone % JOBS_BETWEEN == 0) {
                chaos.tell(jobsDone);
            }
        });
        try (system) {
            system.onDeadLetter(letter -> {}); // unfinished jobs are expected; the foreman reassigns them
            Actor<Report> desk = system.actor("foreman").newActorFrom(foreman::behavior);
            var spec = SupervisorSpec.oneForOne().limit(jobs, Duration.ofMinutes(1)); // many restarts are expected
            for (int i = 0; i < WORKERS; i++) {
                spec = spec.child("worker " + i, Restart.PERMANENT, child -> newWorker(child, desk));
            }
            system.actor("workers").newSupervisor(spec);
            foreman.allDone().join();
        }
        System.out.println(foreman + ", with " + system.stats().dead() + " jobs in their mailboxes.");
    }

    private static void endWorker(ActorSystem system, Random random) {
        StopMode mode = random.nextBoolean() ? StopMode.DISCARD : StopMode.INTERRUPT;
        system.find("worker " + random.nextInt(WORKERS)).ifPresent(worker -> worker.stop(mode));
    }

    private static Actor<Integer> newWorker(ActorBuilder<Object> child, Actor<Report> foreman) {
        Actor<Integer> worker = child.newActorFrom(context -> job -> {
            work();
            foreman.tell(new Foreman.Done(context.self(), job));
        });
        foreman.tell(new Foreman.Ready(worker));
        return worker;
    }

    private static void work() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            throw new IllegalStateException("ended before the job was done", e);
        }
    }
}
