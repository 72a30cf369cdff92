package io.fibry.bench.peers;

import io.fibry.ThreadStrategy;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * The compared peers, by the values of the benchmarks' parameter {@code peer}. Each benchmark declares its participants
 * in this parameter; {@link #cannot} reports the participants that do not support it.
 */
public enum Peers {
    /** This library, actors on virtual threads. */
    FIBRY("Fibry", Kind.ACTORS),
    /** This library, actors on virtual threads, each with a mailbox for 16 messages. */
    FIBRY_BOUNDED("Fibry, mailboxes for 16", Kind.ACTORS),
    /** This library, actors on platform threads. */
    FIBRY_THREADS("Fibry, platform threads", Kind.ACTORS),
    /** The library of the article, release 2.4.1, actors on fibers. */
    FIBRY_2_4_1("Fibry 2.4.1", Kind.ACTORS),
    /** Pekko typed. */
    PEKKO("Pekko", Kind.ACTORS),
    /** Coroutines of Kotlin with channels. */
    KOTLIN("Kotlin coroutines", Kind.ACTORS),
    /** The event bus of Vert.x with verticles on virtual threads. */
    VERTX("Vert.x event bus", Kind.ACTORS),
    /** Virtual threads with Jox channels. */
    JOX("Jox channels", Kind.ACTORS),
    /** Virtual threads with a queue of the JDK. */
    VIRTUAL_THREADS("virtual threads with queues", Kind.ACTORS),
    /** Serial executors on a pool of a thread per core. */
    EXECUTOR("ExecutorService", Kind.ACTORS),
    /**
     * No actors: calls the behavior, and writes to the object that represents the actor. Shows the cost of memory
     * accesses.
     */
    PLAIN_OBJECTS("plain objects, called", Kind.ACTORS),

    /** A bare virtual thread for each message. */
    BARE_VIRTUAL_THREADS("bare virtual threads", Kind.TASKS),
    /** A pool with an unbounded number of platform threads. */
    CACHED_POOL("cached pool", Kind.TASKS),
    /** A pool of 64 platform threads. */
    POOL_64("pool of 64 threads", Kind.TASKS),
    /** A pool of 200 platform threads. */
    POOL_200("pool of 200 threads", Kind.TASKS),

    /** Coroutines on {@code Dispatchers.IO}, 64 threads. */
    COROUTINES_IO("Dispatchers.IO", Kind.COROUTINES),
    /** Coroutines on {@code Dispatchers.Default}, a thread per core. */
    COROUTINES_DEFAULT("Dispatchers.Default", Kind.COROUTINES),
    /** Coroutines on {@code Dispatchers.Unconfined}, on the thread that launches or resumes them. */
    COROUTINES_UNCONFINED("Dispatchers.Unconfined", Kind.COROUTINES),
    /** Coroutines on a virtual thread for each step. */
    COROUTINES_VIRTUAL_THREADS("virtual threads as dispatcher", Kind.COROUTINES),
    /** Coroutines on a strategy of this library, an actor for each step. */
    COROUTINES_FIBRY("Fibry's strategy as dispatcher", Kind.COROUTINES),
    /** Coroutines confined to one actor of this library. */
    COROUTINES_FIBRY_ACTOR("one Fibry actor as dispatcher", Kind.COROUTINES),
    /** Coroutines that delay where all other peers sleep: they suspend and block no thread. */
    COROUTINES_DELAY("coroutines that delay: suspended, not blocked", Kind.COROUTINES);

    private static final String VERTICLES = "Not run: a verticle is a unit of deployment, and a program has few.";

    private enum Kind {
        ACTORS,
        TASKS,
        COROUTINES
    }

    private final String title;
    private final Kind kind;

    Peers(String title, Kind kind) {
        this.title = title;
        this.kind = kind;
    }

    /** Returns the display name. */
    public String title() {
        return title;
    }

    /**
     * Starts the peer.
     *
     * @param benchmark the simple name of the benchmark class that will use it
     * @throws UnsupportedOperationException if it does not support this benchmark; the message gives the reason
     */
    public Peer open(String benchmark) {
        String why = cannot(benchmark);
        if (why != null) {
            throw new UnsupportedOperationException(this + " cannot do this work: " + why);
        }
        return open();
    }

    private Peer open() {
        return switch (this) {
            case FIBRY -> new Fibry(ThreadStrategy.virtual());
            case FIBRY_BOUNDED -> new Fibry(ThreadStrategy.virtual(), 16);
            case FIBRY_THREADS -> new Fibry(ThreadStrategy.platform());
            case FIBRY_2_4_1 -> new Fibry241();
            case PEKKO -> new Pekko();
            case KOTLIN -> new KotlinChannels();
            case VERTX -> new VertxEventBus();
            case JOX -> new Jox();
            case VIRTUAL_THREADS -> new VirtualThreads();
            case EXECUTOR -> new SerialExecutors();
            case PLAIN_OBJECTS -> new PlainObjects();
            case BARE_VIRTUAL_THREADS -> new Tasks(Executors.newVirtualThreadPerTaskExecutor());
            case CACHED_POOL -> new Tasks(Executors.newCachedThreadPool());
            case POOL_64 -> new Tasks(Executors.newFixedThreadPool(64));
            case POOL_200 -> new Tasks(Executors.newFixedThreadPool(200));
            case COROUTINES_IO -> Coroutines.onIo();
            case COROUTINES_DEFAULT, COROUTINES_DELAY -> Coroutines.onDefault();
            case COROUTINES_UNCONFINED -> Coroutines.onUnconfined();
            case COROUTINES_VIRTUAL_THREADS -> Coroutines.onVirtualThreads();
            case COROUTINES_FIBRY -> Coroutines.onFibry();
            case COROUTINES_FIBRY_ACTOR -> Coroutines.onFibryActor();
        };
    }

    /**
     * Returns the reason for which this peer does not support a benchmark, in one sentence, or null if it does.
     *
     * @param benchmark the simple name of the benchmark class
     */
    public @Nullable String cannot(String benchmark) {
        if (this == PLAIN_OBJECTS) {
            return benchmark.equals("LiveActorsBenchmark")
                    ? null
                    : "They are no actors; in LiveActorsBenchmark they show what memory costs.";
        }
        return switch (benchmark) {
            case "CoroutinesBenchmark" -> cannotLaunch();
            case "BlockedBenchmark", "BlockedMillionBenchmark" -> cannotBlock(benchmark.contains("Million"));
            case "OverloadBenchmark" -> cannotServe();
            case "BlockedPoolsBenchmark" -> isBigPool() ? null : "It is measured in BlockedBenchmark.";
            case "CreateManyBenchmark" ->
                this == FIBRY || this == EXECUTOR
                        ? null
                        : "Not run: a million come and go too slowly; CreateBenchmark makes 200,000.";
            case "AmongLiveActorsBenchmark" ->
                this == FIBRY ? null : "Not run: it asks how ours grows; LiveActorsBenchmark has the peers.";
            default -> kind == Kind.ACTORS ? cannotAsActor(benchmark) : "It has no actors, only tasks.";
        };
    }

    private @Nullable String cannotLaunch() {
        return switch (this) {
            case KOTLIN -> "Its actors are coroutines with channels; the rows of dispatchers have them without.";
            case COROUTINES_DELAY -> "It is the row of Dispatchers.Default where coroutines delay.";
            default -> kind == Kind.COROUTINES ? null : "It has no coroutines.";
        };
    }

    private boolean isBigPool() {
        return this == POOL_64 || this == POOL_200 || this == COROUTINES_IO;
    }

    private @Nullable String cannotAsActor(String benchmark) {
        return switch (this) {
            case FIBRY_BOUNDED -> "Its limit is for OverloadBenchmark; elsewhere it is FIBRY.";
            case FIBRY_THREADS ->
                switch (benchmark) {
                    case "CreateBenchmark" ->
                        "So many idle actors are as many platform threads; CreateFewBenchmark makes 3,000.";
                    case "SkynetBenchmark" ->
                        "A hundred thousand actors and more live at once, each with a platform thread.";
                    case "LiveActorsBenchmark" -> "A million live actors are a million platform threads.";
                    default -> null;
                };
            case VERTX ->
                switch (benchmark) {
                    case "TellBenchmark",
                            "NamedTellBenchmark",
                            "PingPongBenchmark",
                            "RequestReplyBenchmark",
                            "RingBenchmark" -> null;
                    default -> VERTICLES;
                };
            case EXECUTOR -> benchmark.equals("NamedTellBenchmark") ? "A serial executor has no name." : null;
            default -> null;
        };
    }

    private @Nullable String cannotBlock(boolean million) {
        return switch (this) {
            case FIBRY_BOUNDED -> "Its limit is for OverloadBenchmark; elsewhere it is FIBRY.";
            case FIBRY_THREADS -> "Not run: each sleeping handler would have a platform thread.";
            case VERTX -> VERTICLES;
            case PEKKO, KOTLIN, EXECUTOR ->
                "Its handlers must not block: a sleeping one keeps one of its few threads, one per core.";
            case CACHED_POOL ->
                million
                        ? "Not run: it makes a platform thread for each sleeping handler, up to a million of them."
                        : null;
            case POOL_64, POOL_200, COROUTINES_IO ->
                million
                        ? "Not run: it would take more than an hour."
                        : "It takes minutes, so it is measured in BlockedPoolsBenchmark.";
            case COROUTINES_DEFAULT, COROUTINES_UNCONFINED, COROUTINES_FIBRY_ACTOR ->
                "Its coroutines sleep one by one, or as many at a time as there are cores; see CoroutinesBenchmark.";
            case COROUTINES_DELAY -> million ? null : "CoroutinesBenchmark has it.";
            default -> null;
        };
    }

    private @Nullable String cannotServe() {
        if (this == VERTX) {
            return VERTICLES;
        }
        return kind == Kind.COROUTINES
                ? "A dispatcher does not keep the limit; Kotlin coroutines have their row."
                : null;
    }
}
