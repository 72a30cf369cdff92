package io.fibry.bench.peers

import io.fibry.ActorSystem
import io.fibry.ThreadStrategy
import java.util.concurrent.Executor
import java.util.concurrent.Executors
import java.util.concurrent.atomic.LongAdder
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.cancel
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/**
 * Coroutines instead of actors: each message is a `launch(dispatcher)`. Like [Tasks], it is suitable only for
 * benchmarks in which each actor gets a single message.
 */
class Coroutines private constructor(
    private val dispatcher: CoroutineDispatcher,
    private val resource: AutoCloseable?,
) : Peer {

    private val scope = CoroutineScope(dispatcher + SupervisorJob())

    override fun actor(behavior: Receiver): Any = behavior

    @Suppress("UNCHECKED_CAST")
    override fun tell(actor: Any, message: Any) {
        scope.launch { (actor as Receiver).accept(message) }
    }

    /** Starts a coroutine that suspends for a while, without a thread, and then runs some code. */
    fun runLater(millis: Long, code: Runnable) {
        scope.launch {
            delay(millis)
            code.run()
        }
    }

    /**
     * Starts coroutines that each suspend for a while, with a limit of concurrent steps, and waits for all of them.
     * Returns the number of coroutines that have resumed. `Dispatchers.Unconfined` has no limit.
     */
    fun delayAll(coroutines: Int, millis: Long, parallelism: Int): Long {
        val limited =
            if (dispatcher == Dispatchers.Unconfined) dispatcher else dispatcher.limitedParallelism(parallelism)
        val awake = LongAdder()
        runBlocking {
            repeat(coroutines) {
                launch(limited) {
                    delay(millis)
                    awake.increment()
                }
            }
        }
        return awake.sum()
    }

    override fun stop(actor: Any) {
        // it holds nothing
    }

    override fun close() {
        scope.cancel()
        resource?.close()
    }

    companion object {
        @JvmStatic
        fun onIo() = Coroutines(Dispatchers.IO, null)

        @JvmStatic
        fun onDefault() = Coroutines(Dispatchers.Default, null)

        @JvmStatic
        fun onUnconfined() = Coroutines(Dispatchers.Unconfined, null)

        @JvmStatic
        fun onVirtualThreads() = Executors.newVirtualThreadPerTaskExecutor().let { Coroutines(it.asCoroutineDispatcher(), it) }

        @JvmStatic
        fun onFibry() = Coroutines(ThreadStrategy.virtual().asExecutor().asCoroutineDispatcher(), null)

        /** An actor is an executor that runs one task at a time, so its coroutines may share plain state. */
        @JvmStatic
        fun onFibryActor() = ActorSystem.anonymous().newSink("state").let { Coroutines(it.asCoroutineDispatcher(), it) }
    }
}

/**
 * Runs each task, such as a coroutine's step from one suspension to the next, in a separate actor, which ends with the
 * task.
 */
fun ThreadStrategy.asExecutor(): Executor = Executor { task ->
    ActorSystem.anonymous().strategy(this).runOnce { task.run() }
}
