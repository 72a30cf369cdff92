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

// Kotlin converts a lambda to a functional interface of Java if the lambda is an argument, but not if another lambda
// returns it.

/**
 * Creates an actor with a factory of its behavior, like [newActorFrom][ActorBuilder.newActorFrom], whose factory cannot
 * return a Kotlin function. The factory runs again at each restart of the actor, which resets its variables.
 */
public fun <B : Any, M : B> ActorBuilder<B>.newActorBy(factory: (ActorContext<M>) -> (M) -> Unit): Actor<M> =
    newActorFrom { context: ActorContext<M> -> ThrowingConsumer(factory(context)) }

/** Creates an actor that replies, with a factory of its behavior; otherwise like [newActorBy]. */
public fun <B : Any, M : B, R> ActorBuilder<B>.newActorWithReturnBy(
    factory: (ReplyContext<M, R>) -> (M) -> R
): ReplyActor<M, R> = newActorWithReturnFrom { context: ReplyContext<M, R> -> ThrowingFunction(factory(context)) }

/** Creates entities whose behaviors are Kotlin functions; otherwise like [entities][Stereotypes.entities]. */
public fun <K : Any, M : Any, R> Stereotypes.entitiesBy(
    options: EntityOptions = EntityOptions.defaults(),
    begin: (K) -> (M) -> R,
): LocalEntities<K, M, R> = entities({ key: K -> EntityBehavior(begin(key)) }, options)

/**
 * Sets the context that messages carry from their sender to their handler. The function runs on the thread of the
 * sender and captures the context. The function that it returns runs on the thread of the handler before the message,
 * and attaches the context. The function that this one returns runs after the message, and restores the previous
 * context. Otherwise like [context][SystemOptions.context].
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
