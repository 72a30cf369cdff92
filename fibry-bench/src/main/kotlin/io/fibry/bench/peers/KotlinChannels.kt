package io.fibry.bench.peers

import java.time.Duration
import java.util.function.BooleanSupplier
import java.util.function.IntFunction
import java.util.function.LongConsumer
import java.util.function.Supplier
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.future.asCompletableFuture
import kotlinx.coroutines.launch
import kotlinx.coroutines.withTimeout
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.time.Duration.Companion.nanoseconds

/**
 * Coroutines of Kotlin: an actor is a coroutine on `Dispatchers.Default` that receives from an unbounded channel. The
 * dispatcher has a thread per core, so its actors must not block: its asker suspends.
 */
internal class KotlinChannels : Peer {

    private class Question(val message: Any, val reply: CompletableDeferred<Any>)

    private val scope = CoroutineScope(Dispatchers.Default + SupervisorJob())

    private fun start(context: CoroutineContext, behavior: suspend (Any) -> Unit): Any {
        val mailbox = Channel<Any>(Channel.UNLIMITED)
        scope.launch(context) {
            for (message in mailbox) behavior(message)
        }
        return mailbox
    }

    override fun actor(behavior: Receiver): Any = start(EmptyCoroutineContext) { behavior.accept(it) }

    override fun namedActor(name: String, behavior: Receiver): Any =
        start(CoroutineName(name)) { behavior.accept(it) }

    /** A coroutine that delays between the ticks, and omits those whose time has passed. */
    override fun periodicActor(period: Duration, behavior: Supplier<Receiver>): Any = scope.launch {
        val receiver = behavior.get()
        val nanos = period.toNanos()
        var due = System.nanoTime() + nanos
        while (true) {
            delay((due - System.nanoTime()).nanoseconds)
            receiver.accept("tick")
            due += ((System.nanoTime() - due).coerceAtLeast(0) / nanos + 1) * nanos
        }
    }

    /** Suspends instead of blocking. */
    override fun sleeper(millis: Int, goesOn: BooleanSupplier): Any {
        val mailbox = Channel<Any>(Channel.UNLIMITED)
        scope.launch {
            for (message in mailbox) {
                delay((message as Int).toLong())
                if (goesOn.asBoolean) tell(mailbox, millis)
            }
        }
        return mailbox
    }

    override fun replyActor(behavior: Replier): Any = start(EmptyCoroutineContext) {
        val question = it as Question
        question.reply.complete(behavior.apply(question.message))
    }

    @Suppress("UNCHECKED_CAST")
    override fun tell(actor: Any, message: Any) {
        (actor as Channel<Any>).trySend(message).getOrThrow()
    }

    private fun question(replyActor: Any, message: Any): CompletableDeferred<Any> {
        val reply = CompletableDeferred<Any>()
        tell(replyActor, Question(message, reply))
        return reply
    }

    override fun ask(replyActor: Any, message: Any): Any =
        Replies.get(question(replyActor, message).asCompletableFuture())

    override fun askInTime(replyActor: Any, message: Any): Any =
        Replies.getInTime(question(replyActor, message).asCompletableFuture())

    override fun asker(target: IntFunction<Any>, questions: Int, inTime: Boolean, sum: LongConsumer): Any =
        start(EmptyCoroutineContext) {
            var soFar = 0L
            for (i in 0 until questions) {
                val reply = question(target.apply(i), i and 1023)
                soFar += (if (inTime) withTimeout(60_000) { reply.await() } else reply.await()) as Int
            }
            sum.accept(soFar)
        }

    override fun service(resource: Resource, room: Int, client: Service.Client): Service =
        KotlinService(scope, resource, room, client)

    @Suppress("UNCHECKED_CAST")
    override fun stop(actor: Any) {
        if (actor is Job) actor.cancel() else (actor as Channel<Any>).close()
    }

    override fun close() {
        scope.cancel()
    }
}
