package io.fibry.kotlin

import io.fibry.ActorSystem
import io.fibry.ThreadStrategy
import io.fibry.http.HttpOptions
import io.fibry.http.HttpParameters
import io.fibry.http.HttpReply
import io.fibry.http.HttpRoutes
import io.fibry.http.ReplyHandler
import io.fibry.net.LineServer
import io.fibry.net.TcpAcceptor
import io.fibry.net.TcpOptions
import io.fibry.net.UdpOptions
import io.fibry.net.UdpServer
import io.fibry.stereotypes.Stereotypes
import java.net.DatagramPacket
import java.net.DatagramSocket
import java.net.InetAddress
import java.net.Socket
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
import java.util.concurrent.ConcurrentLinkedQueue
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

/** Like [KernelLambdasTest], for servers. */
@Timeout(60)
class ServerLambdasTest {

    private val system = ActorSystem.create()
    private val shapes = Stereotypes.def().`in`(system)
    private val virtual = ThreadStrategy.virtual()
    private val client = HttpClient.newHttpClient()
    private val log = ConcurrentLinkedQueue<String>()

    @AfterEach
    fun close() {
        client.close()
        assertTrue(system.close(Duration.ofSeconds(10)))
    }

    private fun get(port: Int, path: String): String = send(port, "GET", path)

    private fun send(port: Int, method: String, path: String): String {
        val request = HttpRequest.newBuilder(URI("http://localhost:$port$path")).method(method, HttpRequest.BodyPublishers.noBody())
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString()).body()
    }

    @Test
    fun http() {
        val routes = HttpRoutes.none()
            .get("/text") { "text" }
            .get("/double/{n}") { "${HttpParameters.ofPath(it).get("n") { n -> n.toInt() } * 2}" }
            .post("/text") { "post" }
            .put("/text") { "put" }
            .delete("/text") { "delete" }
            .handle("GET", "/reply") { HttpReply.text("reply") }
            .handle("GET", "/exchange", ReplyHandler.of { it.sendResponseHeaders(204, -1) })
            .events("/events") { events ->
                events.onStop { log.add("stopped") }
                events.send("event")
            }
            .health("/health") { true }
            .filter { exchange -> if (exchange.requestURI.path == "/no") HttpReply.text("refused").withStatus(403) else null }
        val options = HttpOptions.defaults().accessLog { access -> log.add(access.target()) }.tlsParameters { it.wantClientAuth = true }
        val port = shapes.embeddedHttpServer(0, routes, options).port()
        assertEquals(
            listOf("text", "14", "reply", "", "data: event", "refused"),
            listOf("/text", "/double/7", "/reply", "/exchange", "/events", "/no").map { get(port, it).lines().last { line -> line.isNotEmpty() || it == "/exchange" } },
        )
        assertEquals(listOf("post", "put", "delete"), listOf("POST", "PUT", "DELETE").map { send(port, it, "/text") })
        assertEquals("all", get(shapes.embeddedHttpServer(0) { "all" }.port(), "/x"))
        assertEquals("any", get(shapes.embeddedHttpServer(0, HttpRoutes.all { "any" }).port(), "/x"))
    }

    @Test
    fun tcp() {
        val options = TcpOptions.defaults().tlsParameters { it.wantClientAuth = true }
            .trustedProxies { address -> address.isLoopbackAddress }
        val plain = TcpOptions.defaults()
        check(options !== plain)
        val servers = listOf(
            shapes.tcpAcceptor(0) { it.getOutputStream().write("hello\n".toByteArray()) },
            shapes.tcpAcceptor(0, { it.getOutputStream().write("hello\n".toByteArray()) }, plain),
            shapes.tcpAcceptorSilent(0, { it.getOutputStream().write("hello\n".toByteArray()) }, plain),
            TcpAcceptor.start(system.actor().strategy(virtual), 0, { it.getOutputStream().write("hello\n".toByteArray()) }, plain),
            shapes.lineServer(0, 80) { it.write("hello") },
            shapes.lineServer(0, 80, { it.write("hello") }, plain),
            LineServer.start(system.actor().strategy(virtual), 0, 80, { it.write("hello") }, plain),
        )
        for (server in servers) {
            Socket(InetAddress.getLoopbackAddress(), server.port()).use {
                assertEquals("hello", it.getInputStream().bufferedReader().readLine())
            }
        }
    }

    @Test
    fun udp() {
        val options = UdpOptions.defaults()
        val servers = listOf(
            shapes.udpServer(0) { datagram, server -> server.send(datagram.data.copyOf(datagram.length), datagram.socketAddress) },
            shapes.udpServer(0, { datagram, server -> server.send(ByteArray(1), datagram.socketAddress) }, options),
            UdpServer.start(system.actor().strategy(virtual), 0, { datagram, server -> server.send(ByteArray(1), datagram.socketAddress) }, options),
        )
        for (server in servers) {
            DatagramSocket(0, InetAddress.getLoopbackAddress()).use { socket ->
                socket.send(DatagramPacket(ByteArray(1), 1, InetAddress.getLoopbackAddress(), server.port()))
                socket.receive(DatagramPacket(ByteArray(1), 1))
            }
        }
    }
}
