package io.fibry.kotlin

import io.fibry.ActorSystem
import io.fibry.Overflow
import io.fibry.generator.Generator
import io.fibry.stereotypes.Stereotypes
import io.fibry.topic.LocalTopic
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.jdk9.asFlow

/**
 * Returns the values of a generator as a flow, for a single collector. The code of the generator waits while the
 * collector is slower. If the collector completes early or is cancelled, the code is interrupted. A second collector
 * gets an [IllegalStateException].
 *
 * @param system the system of the actor that reads the generator. If it is closed first, the flow fails with
 * [ActorStoppedException][io.fibry.ActorStoppedException]
 */
public fun <T : Any> Generator<T>.asFlow(system: ActorSystem = ActorSystem.defaultSystem()): Flow<T> =
    Stereotypes.def().`in`(system).publisher(this).asFlow()

/**
 * Returns the messages of a topic as a flow. Each collection starts with the next message. The topic never waits for a
 * collector: up to [capacity] messages are buffered for a slow collector; beyond that, [overflow] drops the oldest or
 * the newest message. The flow completes when the topic has ended, and fails with
 * [ActorStoppedException][io.fibry.ActorStoppedException] if the topic has failed or was interrupted.
 *
 * @param system the system of the subscribing actors, one per collection. If it is closed first, the flow fails in the
 * same way
 * @throws IllegalArgumentException if the capacity is less than 1, or if the policy does not drop messages
 */
public fun <M : Any> LocalTopic<M>.asFlow(
    capacity: Int,
    overflow: Overflow,
    system: ActorSystem = ActorSystem.defaultSystem(),
): Flow<M> = Stereotypes.def().`in`(system).publisher(this, capacity, overflow).asFlow()
