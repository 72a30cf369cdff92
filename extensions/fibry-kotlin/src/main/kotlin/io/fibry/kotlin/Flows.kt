package io.fibry.kotlin

import io.fibry.ActorSystem
import io.fibry.Overflow
import io.fibry.generator.Generator
import io.fibry.stereotypes.Stereotypes
import io.fibry.topic.Topic
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.jdk9.asFlow

/**
 * The values of a generator, for one collector. Its code waits while the collector is behind. When the collector is done early, or is
 * cancelled, the code is interrupted. A second collector gets an [IllegalStateException].
 *
 * @param system has the actor that reads the generator. If it is closed first, the flow fails with
 * [ActorStoppedException][io.fibry.ActorStoppedException]
 */
public fun <T : Any> Generator<T>.asFlow(system: ActorSystem = ActorSystem.defaultSystem()): Flow<T> =
    Stereotypes.def().`in`(system).publisher(this).asFlow()

/**
 * The messages of a topic, from the moment of each collection. The topic waits for no collector: up to [capacity] messages wait for
 * one that is behind, and then [overflow] drops the oldest or the newest. The flow completes when the topic has ended, and fails with
 * [ActorStoppedException][io.fibry.ActorStoppedException] if that had failed or was interrupted.
 *
 * @param system has the subscribing actor of each collection. If it is closed first, the flow fails in the same way
 * @throws IllegalArgumentException if the capacity is less than 1, or for a policy that does not drop
 */
public fun <M : Any> Topic<M>.asFlow(
    capacity: Int,
    overflow: Overflow,
    system: ActorSystem = ActorSystem.defaultSystem(),
): Flow<M> = Stereotypes.def().`in`(system).publisher(this, capacity, overflow).asFlow()
