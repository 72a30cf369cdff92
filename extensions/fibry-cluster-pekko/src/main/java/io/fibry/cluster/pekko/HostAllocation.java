package io.fibry.cluster.pekko;

import java.util.HashMap;
import java.util.Map;
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

    @Override
    public Future<Set<String>> rebalance(
            scala.collection.immutable.Map<ActorRef, IndexedSeq<String>> allocations, Set<String> inProgress) {
        return strategy.rebalance(hosts(allocations), inProgress);
    }

    private scala.collection.immutable.Map<ActorRef, IndexedSeq<String>> hosts(
            scala.collection.immutable.Map<ActorRef, IndexedSeq<String>> allocations) {
        Map<Address, Long> nodes = new HashMap<>();
        for (Member member : cluster.state().getMembers()) {
            nodes.put(member.address(), member.uniqueAddress().longUid());
        }
        Map<ActorRef, IndexedSeq<String>> hosts = new HashMap<>();
        CollectionConverters.asJava(allocations).forEach((region, shards) -> {
            Address address = region.path().address();
            Long node = nodes.get(address.hasLocalScope() ? cluster.selfAddress() : address);
            if (node != null && directory.isHostedBy(node, type)) {
                hosts.put(region, shards);
            }
        });
        return scala.collection.immutable.Map.from(CollectionConverters.asScala(hosts));
    }
}
