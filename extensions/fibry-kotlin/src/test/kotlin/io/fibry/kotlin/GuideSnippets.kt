package io.fibry.kotlin

import io.fibry.Actor
import io.fibry.ActorSystem
import io.fibry.Overflow
import io.fibry.ReplyActor
import io.fibry.generator.GeneratorOptions
import io.fibry.kotlin.asFlow
import io.fibry.stereotypes.Stereotypes
import io.fibry.test.TestSystem
import java.nio.file.Files
import java.nio.file.Path
import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.withContext

/** The code of `docs/kotlin.md`; [GuideTest] runs each function, and compares its output. */
@Suppress("unused")
object GuideSnippets {

    // declarations
    sealed interface Account

    data class Deposit(val cents: Long) : Account, Request<Long>

    data object Owner : Account, Request<String>
    // end of the declarations

    suspend fun typedReplies() {
        var balance = 0L
        val account = ActorSystem.anonymous().onRequest { message: Account ->
            when (message) {
                is Deposit -> {
                    balance += message.cents
                    message.reply(balance)
                }
                is Owner -> message.reply("Ann")
            }
        }
        val cents: Long = account.request(Deposit(500))
        val owner: String = account.request(Owner)
        println("$owner has $cents") // prints Ann has 500
    }

    suspend fun first() {
        val system = ActorSystem.defaultSystem()
        val printer = system.actor().newActor { text: String -> println(text) }
        val squares = system.actor().newActorWithReturn { n: Int -> n * n }
        printer.tell("7 squared is ${squares.request(7)}") // prints 7 squared is 49
        printer.close()
    }

    suspend fun onTheSystem() {
        val system = ActorSystem.defaultSystem()
        val squares = system.actor().newActorWithReturn { n: Int -> n * n }
        val sum = withContext(system.asCoroutineDispatcher()) {
            squares.request(3) + squares.request(4)
        }
        println(sum) // prints 25
    }

    suspend fun request() {
        val parser = ActorSystem.anonymous().newActorWithReturn { text: String -> text.toInt() }
        val result = runCatching { parser.request("nine", 1.seconds) }
        println(result.exceptionOrNull() is NumberFormatException) // prints true
    }

    suspend fun suspending() {
        suspend fun load(id: Int): String = delay(10.milliseconds).let { "customer $id" }

        val customers = ActorSystem.anonymous().onRequest { id: Int ->
            coroutineScope {
                // both run inside the actor, and wait at the same time
                val one = async { load(id) }
                val two = async { load(id + 1) }
                "${one.await()}, ${two.await()}"
            }
        }
        println(customers.request(7)) // prints customer 7, customer 8
    }

    suspend fun factory() {
        val total: ReplyActor<Int, Int> = ActorSystem.anonymous().onRequestFrom { context ->
            var sum = 0 // fresh after a restart
            suspend fun add(n: Int): Int {
                delay(1.milliseconds)
                sum += n
                return sum
            }
            ::add
        }
        total.request(3)
        println(total.request(4)) // prints 7
    }

    suspend fun scope() {
        val prices = mutableMapOf<String, Int>() // of the actor; no lock
        val shop = ActorSystem.anonymous()
            .newActorWithReturn { item: String -> prices[item] ?: 0 }
        val scope = shop.asCoroutineScope()
        val update = scope.launch {
            val fetched = withContext(Dispatchers.IO) { "pen=3" } // elsewhere
            val (item, price) = fetched.split('=')
            prices[item] = price.toInt() // inside the actor
        }
        update.join()
        println(shop.request("pen")) // prints 3
        shop.close() // cancels the coroutines of the scope, and waits for them
    }

    suspend fun flowIn() {
        val store = ActorSystem.anonymous().bounded(16, Overflow.BLOCK).onMessage { n: Int ->
            delay(1.milliseconds)
            if (n == 100) println("stored") // prints stored
        }
        (1..100).asFlow().sendTo(store) // suspended while 16 wait
        store.close()
    }

    suspend fun flowOut() {
        val squares = Stereotypes.def().generator<Int>(
            { out -> generateSequence(1) { it + 1 }.forEach { out.accept(it * it) } },
            GeneratorOptions.defaults(),
        )
        println(squares.asFlow().take(3).toList()) // prints [1, 4, 9]
    }

    suspend fun virtual() {
        // blocks a virtual thread
        val pom = withContext(Dispatchers.Virtual) { Files.readString(Path.of("pom.xml")) }
        println("fibry-kotlin" in pom) // prints true
    }

    fun tests() {
        TestSystem.create().use { test ->
            val lengths = test.actor("lengths").onRequest { text: String ->
                delay(1.hours)
                text.length
            }
            runTest { println(lengths.request("tea")) } // prints 3
            println(test.elapsed()) // prints PT1H
        }
    }

    fun lambdas() {
        val counter: Actor<String> = ActorSystem.named("counter").newActorBy { context ->
            var count = 0
            fun handle(text: String) {
                println("${context.self().name()}: $text is number ${++count}")
            }
            ::handle
        }
        counter.tell("a") // prints counter: a is number 1
        counter.close()
    }
}
