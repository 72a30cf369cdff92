package io.fibry.kotlin

import kotlin.coroutines.intrinsics.suspendCoroutineUninterceptedOrReturn
import kotlin.coroutines.jvm.internal.CoroutineStackFrame

/**
 * The place of a [request] that has failed, as a suppressed exception of the failure. The failure itself has the frames
 * of the actor only.
 *
 * kotlinx.coroutines copies an exception for this purpose, by reflection. A suppressed exception leaves the failure as
 * it is: the asker gets the object that the behavior has thrown, with all its properties.
 */
internal class RequestSite(frames: Array<StackTraceElement>) : Throwable("a coroutine has made the request here") {

    init {
        stackTrace = frames
    }

    /** The frames come from the coroutine: those of the thread end in its dispatcher. */
    override fun fillInStackTrace(): Throwable = this
}

/** A behavior may throw the same object again and again, and a failure may pass through many actors. */
private const val MOST_SITES = 16

/**
 * Adds the frames of the calling coroutine to this failure of its request, unless it already has them. Only a failed
 * request calls this function: the frames are looked up by reflection.
 */
internal suspend fun Throwable.addRequestSite() {
    val frames = callers()
    val known = suppressed.filterIsInstance<RequestSite>()
    if (frames.isNotEmpty() && known.size < MOST_SITES && known.none { it.stackTrace.contentEquals(frames) }) {
        addSuppressed(RequestSite(frames))
    }
}

/** Returns the frames of the calling coroutine outside of this module's requests, innermost first. */
private suspend fun callers(): Array<StackTraceElement> = suspendCoroutineUninterceptedOrReturn { caller ->
    generateSequence(caller as? CoroutineStackFrame) { it.callerFrame }
        .mapNotNull { it.getStackTraceElement() }
        .filterNot { it.className.substringAfterLast('/') in OWN } // after the name of the module
        .toList()
        .toTypedArray()
}

private val OWN = setOf("io.fibry.kotlin.RequestsKt", "io.fibry.kotlin.TypedRequestsKt", "io.fibry.kotlin.RequestSiteKt")
