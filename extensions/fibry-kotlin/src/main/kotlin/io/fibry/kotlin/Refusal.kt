package io.fibry.kotlin

import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.cancel

/**
 * The end of a coroutine whose dispatcher is no more, as kotlinx.coroutines has it for executors that were shut down: its job is
 * cancelled, and the step runs elsewhere, so that the coroutine can clean up and complete.
 */
internal fun refuse(context: CoroutineContext, block: Runnable, reason: String) {
    context.cancel(CancellationException(reason))
    Dispatchers.IO.dispatch(context, block)
}
