package io.fibry.bench.shapes;

import io.fibry.ActorSystem;
import io.fibry.bench.peers.Peer;
import io.fibry.bench.peers.Peers;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The cost of a short life: a virtual thread creates an actor, asks it once, waits for the reply, and stops it. The
 * clients are one or 100 virtual threads. A bare virtual thread completes a future and ends. In Go, a goroutine takes a
 * request from a channel and replies to another one.
 *
 * <p>A client does not wait for the end of the actor or thread, only for the reply. Clients of all peers are virtual
 * threads; {@link ShortLivesFromActorBenchmark} has the clients that suit Kotlin better.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="shapes.ShortLivesBenchmark"}
 */
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class ShortLivesBenchmark extends ShapeBenchmark {

    private static final int LIVES = 20_000;

    @Param({"FIBRY", "KOTLIN", "PEKKO", "BARE_VIRTUAL_THREADS", "GO"})
    public String peer;

    @Param({"1", "100"})
    public int clients;

    private Life life;
    private AutoCloseable resource;

    /** The life of an actor that adds one to the number. */
    private interface Life {
        int reply(Integer number) throws Exception;
    }

    @Setup(Level.Trial)
    public void open() {
        switch (peer) {
            case "FIBRY" -> {
                var system = ActorSystem.create();
                resource = system;
                life = n -> fibry(system, n);
            }
            case "KOTLIN", "PEKKO" -> {
                Peer actors = Peers.valueOf(peer).open("ShortLivesBenchmark");
                resource = actors;
                life = n -> ofPeer(actors, n);
            }
            case "GO" -> resource = () -> {}; // the first run starts the program
            case "BARE_VIRTUAL_THREADS" -> {
                resource = () -> {};
                life = ShortLivesBenchmark::bareThread;
            }
            default -> throw unknown(peer);
        }
    }

    private static int fibry(ActorSystem system, Integer number) throws Exception {
        var actor = system.actor().newActorWithReturn((Integer n) -> n + 1);
        int reply = actor.call(number);
        actor.stop();
        return reply;
    }

    private static int ofPeer(Peer actors, Integer number) {
        Object actor = actors.replyActor(n -> (Integer) n + 1);
        int reply = (Integer) actors.ask(actor, number);
        actors.stop(actor);
        return reply;
    }

    private static int bareThread(Integer number) throws Exception {
        var reply = new CompletableFuture<Integer>();
        Thread.startVirtualThread(() -> reply.complete(number + 1));
        return reply.get();
    }

    @Benchmark
    @OperationsPerInvocation(LIVES)
    public void life() throws InterruptedException {
        int each = scaled(LIVES / clients);
        check((long) clients * each * (each + 1) / 2, peer.equals("GO") ? runInGo("lives", clients, each) : run(each));
    }

    private long run(int each) throws InterruptedException {
        var sum = new AtomicLong();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < clients; i++) {
            threads.add(Thread.startVirtualThread(() -> sum.addAndGet(sumOfReplies(each))));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return sum.get();
    }

    private long sumOfReplies(int lives) {
        long sum = 0;
        try {
            for (int i = 0; i < lives; i++) {
                sum += life.reply(i);
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return sum;
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
        resource.close();
    }
}
