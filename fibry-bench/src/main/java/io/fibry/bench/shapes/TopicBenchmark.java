package io.fibry.bench.shapes;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.bench.peers.Peer;
import io.fibry.bench.peers.Peers;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.topic.LocalTopic;
import io.fibry.topic.TopicOptions;
import java.util.ArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.eventstream.EventStream;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.pubsub.Topic;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One message to all subscribers, until all have handled it: a topic, and the topic and the event stream of Pekko. To
 * show the cost of the topic itself, an actor sends the message to the same actors in a loop, and a platform thread to
 * virtual threads with queues. In Go, a goroutine sends it to channels.
 *
 * <p>Run it: {@code mvn -q -pl fibry-bench -am compile exec:exec -Dargs="shapes.TopicBenchmark"}
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@SuppressWarnings("NullAway.Init") // JMH sets the fields
public class TopicBenchmark extends ShapeBenchmark {

    private record News(int number) {}

    @Param({"FIBRY", "PLAIN", "PEKKO_TOPIC", "PEKKO_EVENT_STREAM", "VIRTUAL_THREADS", "GO"})
    public String peer;

    @Param({"10000", "100000"})
    public int subscribers;

    private final AtomicInteger missing = new AtomicInteger();
    private final Semaphore done = new Semaphore(0);
    private Runnable publish;
    private Runnable close;

    @Setup(Level.Trial)
    public void open() throws InterruptedException {
        switch (peer) {
            case "FIBRY" -> openFibry();
            case "PLAIN" -> openPlain();
            case "VIRTUAL_THREADS" -> openVirtualThreads();
            case "GO" -> {
                publish = this::publishInGo;
                close = () -> {};
            }
            case "PEKKO_TOPIC" -> openPekkoTopic();
            case "PEKKO_EVENT_STREAM" -> openPekkoEventStream();
            default -> throw unknown(peer);
        }
        while (!reachesAll()) {
            Thread.sleep(100); // Pekko subscribes later
        }
    }

    private boolean reachesAll() throws InterruptedException {
        missing.set(subscribers);
        publish.run();
        return done.tryAcquire(10, TimeUnit.SECONDS);
    }

    private void openFibry() {
        var system = ActorSystem.create();
        LocalTopic<News> topic = Stereotypes.def().in(system).topic(TopicOptions.defaults());
        for (int i = 0; i < subscribers; i++) {
            topic.subscribe(system.actor().newActor(news -> handled()));
        }
        publish = () -> topic.publish(new News(1));
        close = system::close;
    }

    private void openPlain() {
        var system = ActorSystem.create();
        var actors = new ArrayList<Actor<News>>();
        for (int i = 0; i < subscribers; i++) {
            actors.add(system.actor().newActor(news -> handled()));
        }
        Actor<News> publisher = system.actor().newActor(news -> {
            for (Actor<News> actor : actors) {
                actor.tell(news);
            }
        });
        publish = () -> publisher.tell(new News(1));
        close = system::close;
    }

    private void openVirtualThreads() {
        Peer threads = Peers.VIRTUAL_THREADS.open("TopicBenchmark");
        var actors = new ArrayList<Object>();
        for (int i = 0; i < subscribers; i++) {
            actors.add(threads.actor(news -> handled()));
        }
        publish = () -> {
            var news = new News(1);
            for (Object actor : actors) {
                threads.tell(actor, news);
            }
        };
        close = () -> {
            actors.forEach(threads::stop);
            threads.close();
        };
    }

    private void publishInGo() {
        missing.addAndGet((int) -runInGo("topic", subscribers));
        done.release();
    }

    private void openPekkoTopic() {
        var started = new Semaphore(0);
        Behavior<News> root = Behaviors.setup(context -> {
            ActorRef<Topic.Command<News>> topic = context.spawn(Topic.create(News.class, "news"), "topic");
            for (int i = 0; i < subscribers; i++) {
                topic.tell(Topic.subscribe(context.spawnAnonymous(subscriber())));
            }
            publish = () -> topic.tell(Topic.publish(new News(1)));
            started.release();
            return Behaviors.ignore();
        });
        var system = org.apache.pekko.actor.typed.ActorSystem.create(root, "topic");
        started.acquireUninterruptibly();
        close = system::terminate;
    }

    private void openPekkoEventStream() {
        var started = new Semaphore(0);
        Behavior<News> root = Behaviors.setup(context -> {
            var stream = context.getSystem().eventStream();
            for (int i = 0; i < subscribers; i++) {
                stream.tell(new EventStream.Subscribe<>(News.class, context.spawnAnonymous(subscriber())));
            }
            publish = () -> stream.tell(new EventStream.Publish<>(new News(1)));
            started.release();
            return Behaviors.ignore();
        });
        var system = org.apache.pekko.actor.typed.ActorSystem.create(root, "stream");
        started.acquireUninterruptibly();
        close = system::terminate;
    }

    private Behavior<News> subscriber() {
        return Behaviors.receiveMessage(news -> {
            handled();
            return Behaviors.same();
        });
    }

    private void handled() {
        if (missing.decrementAndGet() == 0) {
            done.release();
        }
    }

    @Benchmark
    public void publish() {
        missing.set(subscribers);
        publish.run();
        done.acquireUninterruptibly();
    }

    @TearDown(Level.Trial)
    public void close() {
        close.run();
        check(0, missing.get());
    }
}
