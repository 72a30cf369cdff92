package io.fibry.kotlin

import io.fibry.Actor
import java.io.DataInputStream
import java.io.InputStream
import java.lang.invoke.MethodType
import java.lang.reflect.Method
import java.lang.reflect.Modifier
import java.nio.file.Files
import java.nio.file.Path
import java.util.jar.JarFile
import kotlin.io.path.isDirectory
import kotlin.io.path.relativeTo
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/**
 * The lambda tests call every public method of the core with a functional parameter: their class files list the called
 * methods.
 */
class LambdaCoverageTest {

    private val tests = listOf(KernelLambdasTest::class, StereotypeLambdasTest::class, ServerLambdasTest::class)

    @Test
    fun noMethodIsLeftOut() {
        val called = tests.flatMap { classFilesOf(it.java) }.flatMap { calls(it) }.toSet()
        val functional = publicClasses().flatMap { it.declaredMethods.toList() }.filter { isFunctional(it) }
        assertTrue(functional.size > 80, "only ${functional.size} found")
        assertEquals(listOf<String>(), functional.filter { signature(it) !in called }.map { it.toString() })
    }

    private fun signature(method: Method) =
        method.name + MethodType.methodType(method.returnType, method.parameterTypes).toMethodDescriptorString()

    private fun isFunctional(method: Method): Boolean =
        Modifier.isPublic(method.modifiers) && !method.isSynthetic && method.parameterTypes.any { isFunctional(it) } &&
            !(method.declaringClass.isInterface && method.declaringClass.simpleName == "DatagramHandler") // it is one

    private fun isFunctional(type: Class<*>): Boolean =
        type.isInterface && type.methods.count { Modifier.isAbstract(it.modifiers) } == 1 && type != Iterable::class.java

    /** The packages that module-info exports without qualification. */
    private fun publicClasses(): List<Class<*>> =
        coreFiles().filter { it.startsWith("io/fibry/") && it.endsWith(".class") }
            .filterNot { it.contains(Regex("fibry/(kernel|dispatch|sockets|flight)/")) }
            .map { Class.forName(it.removeSuffix(".class").replace('/', '.')) }
            .filter { Modifier.isPublic(it.modifiers) && it.simpleName != "ForwardingActor" } // it repeats Actor

    private fun coreFiles(): List<String> {
        val core = Path.of(Actor::class.java.protectionDomain.codeSource.location.toURI())
        if (core.isDirectory()) {
            return Files.walk(core).use { all -> all.map { it.relativeTo(core).joinToString("/") }.toList() }
        }
        return JarFile(core.toFile()).use { jar -> jar.entries().asSequence().map { it.name }.toList() }
    }

    private fun classFilesOf(test: Class<*>): List<InputStream> {
        val folder = Path.of(test.protectionDomain.codeSource.location.toURI()).resolve("io/fibry/kotlin")
        return Files.list(folder).use { all ->
            all.filter { it.fileName.toString().startsWith(test.simpleName) }.map { Files.newInputStream(it) }.toList()
        }
    }

    /**
     * Returns the names and descriptors of the methods in the constant pool of a class file (JVM specification, chapter
     * 4.4).
     */
    private fun calls(classFile: InputStream): List<String> = DataInputStream(classFile.buffered()).use { input ->
        input.skipNBytes(8)
        val size = input.readUnsignedShort()
        val text = arrayOfNulls<String>(size)
        val pairs = mutableListOf<Pair<Int, Int>>()
        var i = 1
        while (i < size) {
            when (val tag = input.readUnsignedByte()) {
                1 -> text[i] = input.readUTF()
                12 -> pairs.add(input.readUnsignedShort() to input.readUnsignedShort())
                7, 8, 16, 19, 20 -> input.skipNBytes(2)
                15 -> input.skipNBytes(3)
                3, 4, 9, 10, 11, 17, 18 -> input.skipNBytes(4)
                5, 6 -> input.skipNBytes(8).also { i++ }
                else -> error("unknown tag $tag")
            }
            i++
        }
        pairs.map { (name, type) -> text[name] + text[type] }
    }
}
