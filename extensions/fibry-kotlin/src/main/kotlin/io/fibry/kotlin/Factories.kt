package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.ActorBuilder
import io.fibry.ActorContext
import io.fibry.ContextCarrier
import io.fibry.ReplyActor
import io.fibry.ReplyContext
import io.fibry.SystemOptions
import io.fibry.ThrowingConsumer
import io.fibry.ThrowingFunction
import io.fibry.entity.EntityBehavior
import io.fibry.entity.EntityOptions
import io.fibry.entity.LocalEntities
import io.fibry.stereotypes.Stereotypes

// Kotlin makes a functional interface of Java out of a lambda that is an argument, but not out of one that a lambda returns.

/**
 * Makes an actor by a factory of its behavior, as [newActorFrom][ActorBuilder.newActorFrom], whose factory cannot return a function
 * of Kotlin. It runs again whenever the actor restarts, so its variables are fresh state.
 */
public fun <B : Any, M : B> ActorBuilder<B>.newActorBy(factory: (ActorContext<M>) -> (M) -> Unit): Actor<M> =
    newActorFrom { context: ActorContext<M> -> ThrowingConsumer(factory(context)) }

/** Makes an actor that replies, by a factory of its behavior; otherwise as [newActorBy]. */
public fun <B : Any, M : B, R> ActorBuilder<B>.newActorWithReturnBy(
    factory: (ReplyContext<M, R>) -> (M) -> R
): ReplyActor<M, R> = newActorWithReturnFrom { context: ReplyContext<M, R> -> ThrowingFunction(factory(context)) }

/** Entities whose behaviors are functions of Kotlin; otherwise as [entities][Stereotypes.entities]. */
public fun <K : Any, M : Any, R> Stereotypes.entitiesBy(
    options: EntityOptions = EntityOptions.defaults(),
    begin: (K) -> (M) -> R,
): LocalEntities<K, M, R> = entities({ key: K -> EntityBehavior(begin(key)) }, options)

/**
 * Sets what messages carry from their sender to their handler. The function runs on the thread of the sender. What it returns runs on the
 * thread of the handler, before the message, and what that returns, after the message. Otherwise as
 * [context][SystemOptions.context].
 */
public fun SystemOptions.contextBy(capture: () -> () -> () -> Unit): SystemOptions =
    context(
        ContextCarrier {
            val captured = capture()
            ContextCarrier.Captured {
                val restore = captured()
                ContextCarrier.Attached { restore() }
            }
        }
    )
