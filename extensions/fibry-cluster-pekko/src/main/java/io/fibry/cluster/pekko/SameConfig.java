package io.fibry.cluster.pekko;

import com.typesafe.config.Config;
import java.util.List;
import org.apache.pekko.cluster.ConfigValidation;
import org.apache.pekko.cluster.JoinConfigCompatChecker;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Refuses a node whose values of the common options differ. Pekko finds this class by the name in {@code cluster.conf}.
 */
public final class SameConfig extends JoinConfigCompatChecker {

    /** Called by Pekko. */
    public SameConfig() {}

    @Override
    public Seq<String> requiredKeys() {
        return CollectionConverters.asScala(List.of(
                        Settings.SHARDS, "fibry.cluster.failover", "fibry.cluster.drain", "fibry.cluster.max-message"))
                .toList();
    }

    @Override
    public ConfigValidation check(Config toCheck, Config actual) {
        return JoinConfigCompatChecker.fullMatch(requiredKeys(), toCheck, actual);
    }
}
