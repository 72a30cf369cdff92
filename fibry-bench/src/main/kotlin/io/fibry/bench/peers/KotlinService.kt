package io.fibry.bench.peers

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.sync.Semaphore

/**
 * Requests wait in a bounded channel, and suspend for a permit of a semaphore. The use of the resource also suspends,
 * for the time that other peers block, like a driver for coroutines.
 */
internal class KotlinService(
    scope: CoroutineScope,
    private val resource: Resource,
    room: Int,
    private val client: Service.Client,
) : Service {

    private val waiting = Channel<Any>(room)
    private val permits = Semaphore(resource.permits())

    init {
        scope.launch {
            for (request in waiting) {
                permits.acquire()
                launch { use(request) }
            }
        }
    }

    private suspend fun use(request: Any) {
        resource.begin()
        delay(resource.millis().toLong())
        resource.end()
        permits.release()
        client.answered(request)
    }

    override fun submit(request: Any) {
        if (!waiting.trySend(request).isSuccess) {
            client.refused(request)
        }
    }

    override fun isBounded() = true

    override fun close() {
        waiting.close()
    }
}
