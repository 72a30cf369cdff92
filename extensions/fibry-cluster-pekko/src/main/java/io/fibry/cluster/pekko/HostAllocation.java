package io.fibry.cluster.pekko;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Address;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.sharding.ShardCoordinator.ActorSystemDependentAllocationStrategy;
import org.apache.pekko.cluster.sharding.ShardCoordinator.ShardAllocationStrategy;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Set;
import scala.concurrent.Future;
import scala.concurrent.Promise;
import scala.jdk.javaapi.CollectionConverters;

/** Allocates the shards of a type to the nodes that host it, and among these as another strategy does. */
final class HostAllocation implements ActorSystemDependentAllocationStrategy {

    private final String type;
    private final TypeDirectory directory;
    private final Cluster cluster;
    private final ShardAllocationStrategy strategy;

    HostAllocation(String type, TypeDirectory directory, Cluster cluster, ShardAllocationStrategy strategy) {
        this.type = type;
        this.directory = directory;
        this.cluster = cluster;
        this.strategy = strategy;
    }

    @Override
    public void start(ActorSystem system) {
        if (strategy instanceof ActorSystemDependentAllocationStrategy dependent) {
            dependent.start(system);
        }
    }

    /** While no node hosts the type, the future does not complete. The region that needs the shard asks again. */
    @Override
    public Future<ActorRef> allocateShard(
            ActorRef requester,
            String shard,
            scala.collection.immutable.Map<ActorRef, IndexedSeq<String>> allocations) {
        var hosts = hosts(allocations);
        return hosts.isEmpty() ? Promise.<ActorRef>apply().future() : strategy.allocateShard(requester, shard, hosts);
    }

    /** Moves all shards of nodes that no longer host the type; if there are none, as the other strategy does. */
    @Override
    public Future<Set<String>> rebalance(
            scala.collection.immutable.Map<ActorRef, IndexedSeq<String>> allocations, Set<String> inProgress) {
        java.util.Set<String> leaving = new HashSet<>();
        for (IndexedSeq<String> shards : only(allocations, this::hasLeft).values()) {
            leaving.addAll(CollectionConverters.asJava(shards));
        }
        return leaving.isEmpty()
                ? strategy.rebalance(hosts(allocations), inProgress)
                : Future.successful(Set.from(CollectionConverters.asScala(leaving)));
    }

    private scala.collection.immutable.Map<ActorRef, IndexedSeq<String>> hosts(
            scala.collection.immutable.Map<ActorRef, IndexedSeq<String>> allocations) {
        return scala.collection.immutable.Map.from(
                CollectionConverters.asScala(only(allocations, node -> directory.isHostedBy(node, type))));
    }

    private boolean hasLeft(Long node) {
        return directory.knows(List.of(node)) && !directory.isHostedBy(node, type);
    }

    /** Returns the regions of these members, with their shards. */
    private Map<ActorRef, IndexedSeq<String>> only(
            scala.collection.immutable.Map<ActorRef, IndexedSeq<String>> allocations, Predicate<Long> of) {
        Map<Address, Long> nodes = new HashMap<>();
        for (Member member : cluster.state().getMembers()) {
            nodes.put(member.address(), member.uniqueAddress().longUid());
        }
        Map<ActorRef, IndexedSeq<String>> selected = new HashMap<>();
        CollectionConverters.asJava(allocations).forEach((region, shards) -> {
            Address address = region.path().address();
            Long node = nodes.get(address.hasLocalScope() ? cluster.selfAddress() : address);
            if (node != null && of.test(node)) {
                selected.put(region, shards);
            }
        });
        return selected;
    }
}
