package articles

import io.fibry.ActorSystem
import io.fibry.http.HttpRoutes
import io.fibry.kotlin.Virtual
import io.fibry.kotlin.request
import io.fibry.stereotypes.Stereotypes
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers
import kotlin.time.Duration
import kotlin.time.measureTime
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.future.await
import kotlinx.coroutines.runBlocking

/**
 * 100 requests to a server that answers after 2 ms, sequential and concurrent: with blocking threads, with suspending
 * coroutines, and with an actor for each client. Argument: the number of repetitions, by default 20; the result is the
 * best time.
 */
fun main(args: Array<String>) = compareRequests(args.firstOrNull()?.toInt() ?: 20)

fun compareRequests(rounds: Int) {
    ActorSystem.create().use { system ->
        HttpClient.newHttpClient().use { client ->
            val routes = HttpRoutes.none().get("/") { "ok".also { Thread.sleep(2) } }
            val server = Stereotypes.def().`in`(system).embeddedHttpServer(0, routes)
            val get = HttpRequest.newBuilder(URI("http://localhost:${server.port()}/")).build()
            val ask = { client.send(get, BodyHandlers.ofString()).body() }
            val clients = List(REQUESTS) { system.actor().newActorWithReturn { _: Int -> ask() } }
            val suspending: suspend () -> String = { client.sendAsync(get, BodyHandlers.ofString()).await().body() }
            println("one after the other: threads ${best(rounds) { oneByOne { ask() } }}, coroutines ${best(rounds) { oneByOne(suspending) }}")
            println("all at once: on Dispatchers.IO ${best(rounds) { atOnce(Dispatchers.IO) { ask() } }}")
            println("all at once: on Dispatchers.Virtual ${best(rounds) { atOnce(Dispatchers.Virtual) { ask() } }}")
            println("all at once: coroutines that suspend ${best(rounds) { atOnce(Dispatchers.Default) { suspending() } }}")
            println("all at once: an actor for each ${best(rounds) { atOnce(Dispatchers.Default) { clients[it].request(it) } }}")
        }
    }
}

private const val REQUESTS = 100

private fun best(rounds: Int, work: () -> Unit): Duration = List(rounds) { measureTime(work) }.min()

private fun oneByOne(request: suspend () -> String) = runBlocking { repeat(REQUESTS) { check(request() == "ok") } }

private fun atOnce(dispatcher: CoroutineDispatcher, request: suspend (Int) -> String) =
    runBlocking(dispatcher) { check(List(REQUESTS) { async { request(it) } }.awaitAll().all { it == "ok" }) }
