package io.fibry.stereotypes;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorSystem;
import io.fibry.Overflow;
import io.fibry.ReplyActor;
import io.fibry.Sink;
import io.fibry.StopMode;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingConsumer;
import io.fibry.ThrowingFunction;
import io.fibry.ThrowingRunnable;
import io.fibry.batch.BatchOptions;
import io.fibry.batch.Batcher;
import io.fibry.entity.EntityBehavior;
import io.fibry.entity.EntityOptions;
import io.fibry.entity.LocalEntities;
import io.fibry.flow.FlowSubscriber;
import io.fibry.flow.Publishers;
import io.fibry.generator.Generator;
import io.fibry.generator.GeneratorOptions;
import io.fibry.http.ExchangeHandler;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpRoutes;
import io.fibry.http.HttpServerActor;
import io.fibry.mapreduce.MapReduce;
import io.fibry.mapreduce.MapReduceOptions;
import io.fibry.net.ConnectionHandler;
import io.fibry.net.DatagramHandler;
import io.fibry.net.LineHandler;
import io.fibry.net.LineServer;
import io.fibry.net.TcpAcceptor;
import io.fibry.net.TcpForwarder;
import io.fibry.net.TcpOptions;
import io.fibry.net.UdpOptions;
import io.fibry.net.UdpServer;
import io.fibry.observer.Observer;
import io.fibry.observer.ObserverOptions;
import io.fibry.pool.PoolOptions;
import io.fibry.pool.WorkerPool;
import io.fibry.pool.Workers;
import io.fibry.schedule.Schedule;
import io.fibry.schedule.Timetable;
import io.fibry.state.StateMachine;
import io.fibry.state.StateMachineSpec;
import io.fibry.topic.LocalTopic;
import io.fibry.topic.TopicOptions;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Factory methods for common kinds of actors. Select a strategy, then a kind of actor:
 *
 * {@snippet :
 * var square = Stereotypes.fibers().requestReply((Integer n) -> n * n);
 * int nine = square.ask(3).join();
 * }
 *
 * <p>Every method that makes an actor throws {@link NullPointerException} if its task, behavior or handler is null, and
 * {@link IllegalStateException} if the system is closed or the name is taken. Immutable; any thread may use it.
 */
public final class Stereotypes {

    private static final Stereotypes DEF = new Stereotypes(null, null, null);
    private static final Stereotypes FIBERS = new Stereotypes(null, ThreadStrategy.virtual(), null);
    private static final Stereotypes THREADS = new Stereotypes(null, ThreadStrategy.platform(), null);

    /** Null means the default system, looked up when an actor is made. */
    private final @Nullable ActorSystem system;

    /** Null means the system's default strategy, looked up when an actor is made. */
    private final @Nullable ThreadStrategy strategy;

    private final @Nullable String name;

    private Stereotypes(@Nullable ActorSystem system, @Nullable ThreadStrategy strategy, @Nullable String name) {
        this.system = system;
        this.strategy = strategy;
        this.name = name;
    }

    // ---- threads, system and name

    /**
     * Returns stereotypes whose actors use the default strategy of their system; see
     * {@link ActorSystem#setDefaultStrategy}.
     */
    public static Stereotypes def() {
        return DEF;
    }

    /** Returns stereotypes whose actors use {@link ThreadStrategy#virtual()}. */
    public static Stereotypes fibers() {
        return FIBERS;
    }

    /** Returns stereotypes whose actors use {@link ThreadStrategy#platform()}. */
    public static Stereotypes threads() {
        return THREADS;
    }

    /** Returns stereotypes whose actors use the given strategy. */
    public static Stereotypes with(ThreadStrategy strategy) {
        return new Stereotypes(null, Objects.requireNonNull(strategy, "strategy"), null);
    }

    /** Returns stereotypes for actors of this system. The default is {@link ActorSystem#defaultSystem}. */
    public Stereotypes in(ActorSystem system) {
        return new Stereotypes(Objects.requireNonNull(system, "system"), strategy, name);
    }

    /**
     * Returns stereotypes for actors with this name. The name is unique in the system while the actor lives; see
     * {@link ActorSystem#named}. In logs, a server without a name appears with its kind and port, such as
     * {@code tcp:8080}.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public Stereotypes named(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("an actor's name must not be blank; omit named(..) for no name");
        }
        return new Stereotypes(system, strategy, name);
    }

    // ---- kinds of actors

    /** Starts an actor that owns a state, which may be null, and runs code on it; see {@link ActorBuilder#newSink}. */
    public <S extends @Nullable Object> Sink<S> sink(S state) {
        return actor().newSink(state);
    }

    /** Starts an actor that runs a task and ends; see {@link ActorBuilder#runOnce}. */
    public Actor<Void> runOnce(ThrowingRunnable task) {
        return actor().runOnce(task);
    }

    /** The same as {@link #runOnce}. */
    public Actor<Void> runOnceSilent(ThrowingRunnable task) {
        return runOnce(task);
    }

    /** Starts an actor that replies with the function's result; see {@link ActorBuilder#newActorWithReturn}. */
    public <M, R extends @Nullable Object> ReplyActor<M, R> requestReply(ThrowingFunction<M, R> behavior) {
        return actor().newActorWithReturn(behavior);
    }

    /**
     * Starts an actor that runs a task at once and then at a fixed rate, until it is stopped. Runs never overlap. If a
     * run takes longer than the period, the runs that become due during it are skipped. An exception of the task is
     * logged with the actor's name, and the next run follows as planned. A stop cancels the later runs, and lets the
     * current run finish. The actor does not keep the JVM alive.
     *
     * @throws IllegalArgumentException if the period is not positive
     */
    public Actor<Void> schedule(ThrowingRunnable task, Duration period) {
        return schedule(task, Timetable.atFixedRate(period));
    }

    /**
     * Starts an actor that runs a task by a timetable: at a rate, with a delay, at times of day, or at any other times;
     * see {@link Schedule#start}.
     */
    public Actor<Void> schedule(ThrowingRunnable task, Timetable timetable) {
        return Schedule.start(actor(), task, timetable);
    }

    /**
     * Starts an actor that handles its messages concurrently, each in its own child actor, in no particular order. The
     * number of children is not limited; see {@link #workerPool} for a limit. An exception of the behavior is logged,
     * and affects no other message. A draining actor ends when all accepted messages have been handled.
     */
    public <M> Actor<M> workers(ThrowingConsumer<M> behavior) {
        return Workers.start(actor(), behavior);
    }

    /** Starts an actor that handles a limited number of messages concurrently; see {@link WorkerPool}. */
    public <M> WorkerPool<M, @Nullable Void> workerPool(ThrowingConsumer<M> behavior, PoolOptions<? super M> options) {
        return WorkerPool.start(actor(), behavior, options);
    }

    /** As {@link #workerPool}, with a reply to each message; see {@link WorkerPool}. */
    public <M, R extends @Nullable Object> WorkerPool<M, R> workerPoolWithReturn(
            ThrowingFunction<M, R> behavior, PoolOptions<? super M> options) {
        return WorkerPool.startWithReturn(actor(), behavior, options);
    }

    /** Starts an actor that collects its messages, and handles them in batches; see {@link Batcher}. */
    public <M> Actor<M> batcher(ThrowingConsumer<List<M>> behavior, BatchOptions options) {
        return Batcher.start(actor(), behavior, options);
    }

    /** As {@link #batcher}, with a reply to each message; see {@link Batcher}. */
    public <M, R extends @Nullable Object> ReplyActor<M, R> batcherWithReturn(
            ThrowingFunction<List<M>, List<R>> behavior, BatchOptions options) {
        return Batcher.startWithReturn(actor(), behavior, options);
    }

    /** Starts an actor that has a current state and handles events; see {@link StateMachine}. */
    public <S, E> StateMachine<S, E> stateMachine(StateMachineSpec<S, E> spec) {
        return StateMachine.start(actor(), spec);
    }

    /** Starts an actor that runs code which yields values, for one reader; see {@link Generator#start}. */
    public <T> Generator<T> generator(ThrowingConsumer<Consumer<T>> code, GeneratorOptions options) {
        return Generator.start(actor(), code, options);
    }

    /**
     * Starts an actor that maps a stream of inputs concurrently, and reduces the values to one result; see
     * {@link MapReduce#start}.
     */
    public <I extends @Nullable Object, T extends @Nullable Object, R> MapReduce<R> mapReduce(
            Stream<? extends I> inputs,
            ThrowingFunction<I, T> mapper,
            R initial,
            BiFunction<R, T, R> reducer,
            MapReduceOptions options) {
        return MapReduce.start(actor(), inputs, mapper, initial, reducer, options);
    }

    /** Starts an actor that forwards each message to all of its subscribers; see {@link LocalTopic#start}. */
    public <M> LocalTopic<M> topic(TopicOptions options) {
        return LocalTopic.start(actor(), options);
    }

    /**
     * Starts the parent of actors for keys. The actor of a key is created on the first message for the key, and ends
     * when it is idle. Uses {@link EntityOptions#defaults}; see {@link LocalEntities}.
     *
     * @param begin creates the behavior of an entity, on its first message and inside its actor; it may block
     */
    public <K, M, R extends @Nullable Object> LocalEntities<K, M, R> entities(
            ThrowingFunction<K, EntityBehavior<M, R>> begin) {
        return entities(begin, EntityOptions.defaults());
    }

    /** As {@link #entities(ThrowingFunction)}, with options. */
    public <K, M, R extends @Nullable Object> LocalEntities<K, M, R> entities(
            ThrowingFunction<K, EntityBehavior<M, R>> begin, EntityOptions options) {
        return LocalEntities.start(actor(), begin, options);
    }

    /**
     * Starts an actor that subscribes to a {@link Flow.Publisher}, and handles its items with backpressure; see
     * {@link FlowSubscriber#start}.
     */
    public <T> FlowSubscriber<T> flowSubscriber(int window, ThrowingConsumer<T> behavior) {
        return FlowSubscriber.start(actor(), window, behavior);
    }

    /**
     * Returns a publisher of the values of a generator, for one subscriber; it reads with backpressure. A subscriber
     * that cancels its subscription closes the generator. See {@link Publishers#ofIterable}.
     */
    public <T> Flow.Publisher<T> publisher(Generator<T> generator) {
        return Publishers.ofIterable(system(), generator, () -> generator.stop(StopMode.INTERRUPT));
    }

    /**
     * Returns a publisher of the messages of a topic, for any number of subscribers; see {@link Publishers#ofActor}.
     *
     * @param capacity the maximum number of messages that wait for each subscriber
     * @param overflow the policy for further messages: {@link Overflow#DROP_OLDEST} or {@link Overflow#DROP_NEWEST}
     */
    public <M> Flow.Publisher<M> publisher(LocalTopic<M> topic, int capacity, Overflow overflow) {
        return Publishers.ofActor(system(), topic, actor -> topic.subscribe(actor), capacity, overflow);
    }

    /**
     * Starts an HTTP server that answers every request with the text that the handler returns; see
     * {@link HttpServerActor#start}.
     */
    public HttpServerActor embeddedHttpServer(int port, ExchangeHandler handler) {
        return embeddedHttpServer(port, HttpRoutes.all(handler));
    }

    /** Starts an HTTP server with these routes and the default limits; see {@link HttpServerActor#start}. */
    public HttpServerActor embeddedHttpServer(int port, HttpRoutes routes) {
        return embeddedHttpServer(port, routes, HttpOptions.defaults());
    }

    /** Starts an HTTP server with these routes and options; see {@link HttpServerActor#start}. */
    public HttpServerActor embeddedHttpServer(int port, HttpRoutes routes, HttpOptions options) {
        return HttpServerActor.start(actor(), port, routes, options);
    }

    /**
     * Starts a TCP server that runs each connection in an actor of its own, with the default limits; see
     * {@link TcpAcceptor#start}.
     */
    public TcpAcceptor tcpAcceptor(int port, ConnectionHandler handler) {
        return tcpAcceptor(port, handler, TcpOptions.defaults());
    }

    /** Starts a TCP server that runs each connection in an actor of its own; see {@link TcpAcceptor#start}. */
    public TcpAcceptor tcpAcceptor(int port, ConnectionHandler handler, TcpOptions options) {
        return TcpAcceptor.start(actor(), port, handler, options);
    }

    /** The same as {@link #tcpAcceptor(int, ConnectionHandler, TcpOptions)}; null options mean the defaults. */
    public TcpAcceptor tcpAcceptorSilent(int port, ConnectionHandler handler, @Nullable TcpOptions options) {
        return tcpAcceptor(port, handler, options == null ? TcpOptions.defaults() : options);
    }

    /**
     * Starts a TCP server that forwards each connection to another server, with the default limits; see
     * {@link TcpForwarder#start}.
     */
    public TcpAcceptor tcpForwarder(int port, InetSocketAddress target) {
        return tcpForwarder(port, target, TcpOptions.defaults());
    }

    /** Starts a TCP server that forwards each connection to another server; see {@link TcpForwarder#start}. */
    public TcpAcceptor tcpForwarder(int port, InetSocketAddress target, TcpOptions options) {
        return TcpForwarder.start(actor(), port, target, options);
    }

    /**
     * Starts a TCP server for a line protocol, with a maximum length of lines in bytes and the default limits; see
     * {@link LineServer#start}.
     */
    public TcpAcceptor lineServer(int port, int maxLineBytes, LineHandler handler) {
        return lineServer(port, maxLineBytes, handler, TcpOptions.defaults());
    }

    /**
     * Starts a TCP server for a line protocol, with a maximum length of lines in bytes; see {@link LineServer#start}.
     */
    public TcpAcceptor lineServer(int port, int maxLineBytes, LineHandler handler, TcpOptions options) {
        return LineServer.start(actor(), port, maxLineBytes, handler, options);
    }

    /**
     * Starts a UDP server with the default limits, which handles datagrams one at a time; see {@link UdpServer#start}.
     */
    public UdpServer udpServer(int port, DatagramHandler handler) {
        return udpServer(port, handler, UdpOptions.defaults());
    }

    /**
     * Starts a UDP server, which may join a multicast group, and handles datagrams one at a time; see
     * {@link UdpServer#start}.
     */
    public UdpServer udpServer(int port, DatagramHandler handler, UdpOptions options) {
        return UdpServer.start(actor(), port, handler, options);
    }

    /**
     * Starts a live page that shows the activity of the system's actors to browsers on this machine; see
     * {@link Observer}. With {@link #def()}, its server uses platform threads, so that it answers even while computing
     * handlers occupy all carrier threads.
     */
    public HttpServerActor observer(int port) {
        return observer(port, ObserverOptions.defaults());
    }

    /** As {@link #observer(int)}, with options; see {@link Observer#start}. */
    public HttpServerActor observer(int port, ObserverOptions options) {
        ThreadStrategy threads = strategy != null ? strategy : ThreadStrategy.platform();
        return Observer.start(actor().strategy(threads), port, options);
    }

    private ActorBuilder<Object> actor() {
        ActorBuilder<Object> builder = name == null ? system().actor() : system().actor(name);
        return strategy == null ? builder : builder.strategy(strategy);
    }

    private ActorSystem system() {
        return system != null ? system : ActorSystem.defaultSystem();
    }
}
