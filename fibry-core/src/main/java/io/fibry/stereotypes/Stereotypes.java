package io.fibry.stereotypes;

import io.fibry.Actor;
import io.fibry.ActorBuilder;
import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import io.fibry.Sink;
import io.fibry.ThreadStrategy;
import io.fibry.ThrowingConsumer;
import io.fibry.ThrowingFunction;
import io.fibry.ThrowingRunnable;
import io.fibry.http.ExchangeHandler;
import io.fibry.http.HttpOptions;
import io.fibry.http.HttpRoutes;
import io.fibry.http.HttpServerActor;
import io.fibry.net.ConnectionHandler;
import io.fibry.net.DatagramHandler;
import io.fibry.net.LineHandler;
import io.fibry.net.LineServer;
import io.fibry.net.TcpAcceptor;
import io.fibry.net.TcpForwarder;
import io.fibry.net.TcpOptions;
import io.fibry.net.UdpOptions;
import io.fibry.net.UdpServer;
import io.fibry.pool.Workers;
import io.fibry.schedule.Schedule;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ready-made actors. Choose where they get their threads from, then what they do:
 *
 * {@snippet :
 * var square = Stereotypes.fibers().requestReply((Integer n) -> n * n);
 * int nine = square.ask(3).join();
 * }
 *
 * <p>Every method that makes an actor throws
 * {@link NullPointerException} if it is given no code to run, and {@link IllegalStateException} if the system is closed.
 * Immutable; any thread may use it.
 */
public final class Stereotypes {

    private static final Stereotypes DEF = new Stereotypes(null, null, null);
    private static final Stereotypes FIBERS = new Stereotypes(null, ThreadStrategy.virtual(), null);
    private static final Stereotypes THREADS = new Stereotypes(null, ThreadStrategy.platform(), null);

    /** Null means the default system, whichever that is when an actor is made. */
    private final @Nullable ActorSystem system;

    /** Null means the system's default strategy, likewise. */
    private final @Nullable ThreadStrategy strategy;

    private final @Nullable String name;

    private Stereotypes(@Nullable ActorSystem system, @Nullable ThreadStrategy strategy, @Nullable String name) {
        this.system = system;
        this.strategy = strategy;
        this.name = name;
    }

    // ---- where

    /** Actors on the default strategy that their system has at the time: see {@link ActorSystem#setDefaultStrategy}. */
    public static Stereotypes def() {
        return DEF;
    }

    /** Actors on {@link ThreadStrategy#virtual()}. */
    public static Stereotypes fibers() {
        return FIBERS;
    }

    /** Actors on {@link ThreadStrategy#platform()}. */
    public static Stereotypes threads() {
        return THREADS;
    }

    /** Actors on a strategy of choice. */
    public static Stereotypes with(ThreadStrategy strategy) {
        return new Stereotypes(null, Objects.requireNonNull(strategy, "strategy"), null);
    }

    /** The same, for actors of that system; without this they belong to the default system. */
    public Stereotypes in(ActorSystem system) {
        return new Stereotypes(Objects.requireNonNull(system, "system"), strategy, name);
    }

    /**
     * The same, for actors with this name, which no other actor of the system has as long as the actor lives; see
     * {@link ActorSystem#named}. A server without a name is called by its kind and port in logs, such as {@code tcp:8080}.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    public Stereotypes named(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("an actor's name must not be blank; leave named(..) out for none");
        }
        return new Stereotypes(system, strategy, name);
    }

    // ---- what

    /** An actor that discards its messages and runs code on a piece of state, which may be null. */
    public <S extends @Nullable Object> Sink<S> sink(S state) {
        return actor().newSink(state);
    }

    /** An actor that runs a task and ends; see {@link ActorBuilder#runOnce}. */
    public Actor<Void> runOnce(ThrowingRunnable task) {
        return actor().runOnce(task);
    }

    /** The same as {@link #runOnce}. */
    public Actor<Void> runOnceSilent(ThrowingRunnable task) {
        return runOnce(task);
    }

    /** An actor that replies with the function's result; see {@link ActorBuilder#newActorWithReturn}. */
    public <M, R extends @Nullable Object> ReplyActor<M, R> requestReply(ThrowingFunction<M, R> behavior) {
        return actor().newActorWithReturn(behavior);
    }

    /**
     * An actor that runs a task at once and then at a fixed rate, until it is stopped. Runs never overlap; those that a slow
     * run leaves no time for are left out. What the task throws is logged with the actor's name, and the next run comes all
     * the same. A stop cancels what is due later, and lets the run under way finish. It does not keep the JVM alive.
     *
     * @throws IllegalArgumentException if the period is not positive
     */
    public Actor<Void> schedule(ThrowingRunnable task, Duration period) {
        return Schedule.start(actor(), task, period);
    }

    /**
     * An actor that handles its messages in parallel, each in an actor of its own, in no order and without a limit to their
     * number. What the behavior throws is logged and affects no other message. A stopped actor ends when all messages that it
     * has accepted have been handled.
     */
    public <M> Actor<M> workers(ThrowingConsumer<M> behavior) {
        return Workers.start(actor(), strategy(), behavior);
    }

    /** A server that answers every HTTP request with the handler's text; see {@link HttpServerActor#start}. */
    public HttpServerActor embeddedHttpServer(int port, ExchangeHandler handler) {
        return embeddedHttpServer(port, HttpRoutes.all(handler));
    }

    /** A server whose routes answer HTTP requests, with the default limits; see {@link HttpServerActor#start}. */
    public HttpServerActor embeddedHttpServer(int port, HttpRoutes routes) {
        return embeddedHttpServer(port, routes, HttpOptions.defaults());
    }

    /** A server whose routes answer HTTP requests; see {@link HttpServerActor#start}. */
    public HttpServerActor embeddedHttpServer(int port, HttpRoutes routes, HttpOptions options) {
        return HttpServerActor.start(system(), strategy(), name, port, routes, options);
    }

    /** A server that gives every TCP connection an actor of its own; see {@link TcpAcceptor#start}. */
    public TcpAcceptor tcpAcceptor(int port, ConnectionHandler handler) {
        return tcpAcceptor(port, handler, TcpOptions.defaults());
    }

    /** A server that gives every TCP connection an actor of its own; see {@link TcpAcceptor#start}. */
    public TcpAcceptor tcpAcceptor(int port, ConnectionHandler handler, TcpOptions options) {
        return TcpAcceptor.start(system(), strategy(), name, port, handler, options);
    }

    /** The article's name for {@link #tcpAcceptor}, where null options mean the defaults. */
    public TcpAcceptor tcpAcceptorSilent(int port, ConnectionHandler handler, @Nullable TcpOptions options) {
        return tcpAcceptor(port, handler, options == null ? TcpOptions.defaults() : options);
    }

    /** A server that passes every TCP connection on to another server; see {@link TcpForwarder#start}. */
    public TcpAcceptor tcpForwarder(int port, InetSocketAddress target) {
        return tcpForwarder(port, target, TcpOptions.defaults());
    }

    /** A server that passes every TCP connection on to another server; see {@link TcpForwarder#start}. */
    public TcpAcceptor tcpForwarder(int port, InetSocketAddress target, TcpOptions options) {
        return TcpForwarder.start(system(), strategy(), name, port, target, options);
    }

    /** A server for a protocol of lines, each of at most so many bytes; see {@link LineServer#start}. */
    public TcpAcceptor lineServer(int port, int maxLineLength, LineHandler handler) {
        return lineServer(port, maxLineLength, handler, TcpOptions.defaults());
    }

    /** A server for a protocol of lines, each of at most so many bytes; see {@link LineServer#start}. */
    public TcpAcceptor lineServer(int port, int maxLineLength, LineHandler handler, TcpOptions options) {
        return LineServer.start(system(), strategy(), name, port, maxLineLength, handler, options);
    }

    /** A server whose messages are UDP datagrams; see {@link UdpServer#start}. */
    public UdpServer udpServer(int port, DatagramHandler handler) {
        return udpServer(port, handler, UdpOptions.defaults());
    }

    /** A server whose messages are UDP datagrams, of clients or of a multicast group; see {@link UdpServer#start}. */
    public UdpServer udpServer(int port, DatagramHandler handler, UdpOptions options) {
        return UdpServer.start(system(), strategy(), name, port, handler, options);
    }

    private ActorBuilder<Object> actor() {
        ActorBuilder<Object> builder = name == null ? system().actor() : system().actor(name);
        return strategy == null ? builder : builder.strategy(strategy);
    }

    private ActorSystem system() {
        return system != null ? system : ActorSystem.defaultSystem();
    }

    private ThreadStrategy strategy() {
        return strategy != null ? strategy : system().defaultStrategy();
    }
}
