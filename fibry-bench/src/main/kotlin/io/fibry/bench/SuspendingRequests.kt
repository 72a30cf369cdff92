package io.fibry.bench

import io.fibry.ActorSystem
import io.fibry.ReplyActor
import io.fibry.ThreadStrategy
import io.fibry.kotlin.Virtual
import io.fibry.kotlin.asCoroutineDispatcher
import io.fibry.kotlin.onRequest
import io.fibry.kotlin.request
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.asExecutor
import kotlinx.coroutines.cancel
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.SendChannel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield

/**
 * The cost of a request of a coroutine, compared with an actor of kotlinx.coroutines on `Dispatchers.Default`: a
 * coroutine that receives from an unbounded channel, and replies by a `CompletableDeferred`. The actor squares a
 * number, and is asked one question at a time. "Actor too" means that the actor runs on the dispatcher of the asker,
 * and "yields" that its behavior suspends once. The variants alternate, so that a slow phase of the machine affects all
 * of them. Arguments: the number of asks per turn, the number of turns, and a part of the names of the variants to run.
 *
 * Run it: `mvn -q -pl fibry-bench -am compile exec:exec -Dbench=SuspendingRequests`
 */
object SuspendingRequests {

    private class Question(val number: Int) {
        val reply = CompletableDeferred<Int>()
    }

    private class Side(val name: String, val ask: (Int) -> Unit) {
        val nanos = mutableListOf<Double>()
    }

    @JvmStatic
    fun main(args: Array<String>) {
        val questions = args.getOrNull(0)?.toInt() ?: 50_000
        val turns = args.getOrNull(1)?.toInt() ?: 31
        val part = args.getOrNull(2) ?: ""
        ActorSystem.create().use { system ->
            val peers = CoroutineScope(Job())
            val sides = sides(system, peers).filter { part in it.name }
            for (turn in 1..turns) {
                for (side in sides) {
                    val begin = System.nanoTime()
                    side.ask(questions)
                    val nanos = (System.nanoTime() - begin) / questions.toDouble()
                    if (turn > turns / 3) side.nanos.add(nanos) // the first turns warm up
                }
            }
            val reference = median(sides.first())
            sides.forEach { println("%-62s %,8.0f ns  %.2f".format(it.name, median(it), median(it) / reference)) }
            peers.cancel()
        }
    }

    private fun sides(system: ActorSystem, peers: CoroutineScope): List<Side> {
        val ofSystem = system.asCoroutineDispatcher()
        val onDefault = peers.peer(Dispatchers.Default)
        val onSystem = peers.peer(ofSystem)
        val square = system.actor().newActorWithReturn { n: Int -> n * n }
        val threadsOfDefault = ThreadStrategy.pool(Dispatchers.Default.asExecutor())
        val pooled = system.actor().strategy(threadsOfDefault).newActorWithReturn { n: Int -> n * n }
        val asking = system.actor().newActorWithReturn { n: Int -> joinAll(square, n) }
        val suspending = system.actor().onRequest { n: Int -> requestAll(square, n) }
        val dispatching = system.actor().newActor { _: Int -> }.asCoroutineDispatcher()
        val suspendable = system.actor().onRequest { n: Int -> n * n }
        val pausing = system.actor().onRequest { n: Int -> squareAfterPause(n) }
        val pausingOnDefault = peers.peer(Dispatchers.Default) { squareAfterPause(it) }
        val pausingOnSystem = peers.peer(ofSystem) { squareAfterPause(it) }
        return listOf(
            Side("kotlinx on Dispatchers.Default") { awaitOn(Dispatchers.Default, onDefault, it) },
            Side("kotlinx on Dispatchers.Unconfined") { awaitOn(Dispatchers.Unconfined, onDefault, it) },
            Side("kotlinx on Dispatchers.Virtual") { awaitOn(Dispatchers.Virtual, onDefault, it) },
            Side("kotlinx in runBlocking") { awaitOn(EmptyCoroutineContext, onDefault, it) },
            Side("kotlinx on the system's dispatcher, actor too") { awaitOn(ofSystem, onSystem, it) },
            Side("request on Dispatchers.Default") { requestOn(Dispatchers.Default, square, it) },
            Side("request on Dispatchers.Default, actor too") { requestOn(Dispatchers.Default, pooled, it) },
            Side("request on Dispatchers.Unconfined") { requestOn(Dispatchers.Unconfined, square, it) },
            Side("request on Dispatchers.Virtual") { requestOn(Dispatchers.Virtual, square, it) },
            Side("request in runBlocking") { requestOn(EmptyCoroutineContext, square, it) },
            Side("request on the system's dispatcher") { requestOn(ofSystem, square, it) },
            Side("request of a coroutine inside an actor") { requestOn(dispatching, square, it) },
            Side("request in a suspending behavior") { suspending.ask(it).join() },
            Side("kotlinx on Dispatchers.Default, yields") { awaitOn(Dispatchers.Default, pausingOnDefault, it) },
            Side("kotlinx on the system's dispatcher, actor too, yields") { awaitOn(ofSystem, pausingOnSystem, it) },
            Side("request on Dispatchers.Default, of a suspending behavior") {
                requestOn(Dispatchers.Default, suspendable, it)
            },
            Side("request on the system's dispatcher, of a suspending behavior") {
                requestOn(ofSystem, suspendable, it)
            },
            Side("request on Dispatchers.Default, of one that yields") { requestOn(Dispatchers.Default, pausing, it) },
            Side("request on the system's dispatcher, of one that yields") { requestOn(ofSystem, pausing, it) },
            Side("join on a platform thread") { joinAll(square, it) },
            Side("join on a virtual thread") { n -> Thread.ofVirtual().start { joinAll(square, n) }.join() },
            Side("join in a behavior") { asking.ask(it).join() },
        )
    }

    /** An actor of kotlinx.coroutines. */
    private fun CoroutineScope.peer(
        context: CoroutineContext,
        behavior: suspend (Int) -> Int = { it * it },
    ): SendChannel<Question> {
        val mailbox = Channel<Question>(Channel.UNLIMITED)
        launch(context) {
            for (question in mailbox) {
                question.reply.complete(behavior(question.number))
            }
        }
        return mailbox
    }

    private suspend fun squareAfterPause(n: Int): Int {
        yield()
        return n * n
    }

    private fun awaitOn(context: CoroutineContext, actor: SendChannel<Question>, questions: Int) =
        runBlocking(context) { awaitAll(actor, questions) }

    private suspend fun awaitAll(actor: SendChannel<Question>, questions: Int) {
        for (i in 0 until questions) {
            val question = Question(i and 1023)
            actor.send(question)
            check(question.reply.await() == (i and 1023) * (i and 1023))
        }
    }

    private fun joinAll(actor: ReplyActor<Int, Int>, questions: Int) {
        for (i in 0 until questions) {
            check(actor.ask(i and 1023).join() == (i and 1023) * (i and 1023))
        }
    }

    private fun requestOn(context: CoroutineContext, actor: ReplyActor<Int, Int>, questions: Int) =
        runBlocking(context) { requestAll(actor, questions) }

    private suspend fun requestAll(actor: ReplyActor<Int, Int>, questions: Int) {
        for (i in 0 until questions) {
            check(actor.request(i and 1023) == (i and 1023) * (i and 1023))
        }
    }

    private fun median(side: Side): Double = side.nanos.sorted()[side.nanos.size / 2]
}
