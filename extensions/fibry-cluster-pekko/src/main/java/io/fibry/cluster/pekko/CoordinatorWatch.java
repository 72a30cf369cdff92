package io.fibry.cluster.pekko;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.pekko.actor.AbstractActorWithTimers;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.apache.pekko.pattern.Patterns;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects a coordinator that makes no progress, and restarts it. Without the coordinator of a type, a shard without an
 * owner receives none, and the messages to its entities wait.
 *
 * <p>Each node queries the coordinators of all types once per second, through its regions. A coordinator that waits for
 * other nodes, for instance to store its state, defers the answer. After too many queries without an answer, the node
 * reports the type as stalled, and the node that runs the coordinator stops it. Pekko then starts it again from the
 * stored state.
 *
 * <p>The number of queries counts instead of the elapsed time, so a paused process does not find all coordinators
 * silent when it resumes. Queries do not count while a member is unreachable or leaves: the coordinator may run on that
 * member, and moves.
 */
final class CoordinatorWatch extends AbstractActorWithTimers {

    private static final Logger LOG = LoggerFactory.getLogger(CoordinatorWatch.class);

    private static final Duration TICK = Duration.ofSeconds(1);

    private enum Tick {
        TICK
    }

    private record Answered(String type) {}

    private final ShardRegions regions;
    private final BooleanSupplier settled;
    private final long limit;
    private final Set<String> stalled;
    private final Consumer<String> onStall;

    /** The number of queries since the last answer, by type. */
    private final Map<String, Integer> unanswered = new HashMap<>();

    private final ExtendedActorSystem system =
            (ExtendedActorSystem) getContext().getSystem();

    /**
     * @param settled whether all members are reachable and stay
     * @param limit the time without an answer after which a coordinator counts as stalled
     * @param stalled receives the types whose coordinator is stalled; thread-safe
     * @param onStall is called with the type when its coordinator becomes stalled
     */
    CoordinatorWatch(
            ShardRegions regions,
            BooleanSupplier settled,
            Duration limit,
            Set<String> stalled,
            Consumer<String> onStall) {
        this.regions = regions;
        this.settled = settled;
        this.limit = limit.dividedBy(TICK);
        this.stalled = stalled;
        this.onStall = onStall;
        getTimers().startTimerWithFixedDelay(Tick.TICK, Tick.TICK, TICK);
    }

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(Tick.class, tick -> query())
                .match(Answered.class, answer -> answered(answer.type()))
                .build();
    }

    private void query() {
        if (!settled.getAsBoolean()) {
            unanswered.clear();
        }
        regions.started().forEach((type, region) -> {
            int count = unanswered.getOrDefault(type, 0) + 1;
            unanswered.put(type, count);
            if (count > limit) {
                unanswered.remove(type);
                restart(type);
            }
            query(type, region);
        });
    }

    private void query(String type, ActorRef region) {
        ActorRef self = self();
        CompletionStage<?> unused = Patterns.ask(region, ShardRegion.getCurrentRegionsInstance(), TICK)
                .thenAccept(answer -> {
                    if (answer instanceof ShardRegion.CurrentRegions all
                            && !all.getRegions().isEmpty()) { // otherwise the region has no coordinator
                        self.tell(new Answered(type), ActorRef.noSender());
                    }
                });
    }

    private void answered(String type) {
        unanswered.remove(type);
        if (stalled.remove(type)) {
            LOG.info("Shards of type {} are allocated again", type);
        }
    }

    private void restart(String type) {
        if (stalled.add(type)) {
            LOG.error("No shard of type {} can be allocated: its coordinator does not respond; it is restarted", type);
            onStall.accept(type);
        }
        String path = self().path().root() + "system/sharding/" + type + "Coordinator/singleton/coordinator";
        system.stop(system.provider().resolveActorRef(path)); // no effect if it runs on another node
    }
}
