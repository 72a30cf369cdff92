package io.fibry.kotlin

import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.cancel

/**
 * Refuses a step whose dispatcher has ended, as kotlinx.coroutines does for executors that were shut down: cancels the
 * job of the coroutine, and runs the step on another dispatcher, so that the coroutine can clean up and complete.
 */
internal fun refuse(context: CoroutineContext, block: Runnable, reason: String) {
    context.cancel(CancellationException(reason))
    Dispatchers.IO.dispatch(context, block)
}
