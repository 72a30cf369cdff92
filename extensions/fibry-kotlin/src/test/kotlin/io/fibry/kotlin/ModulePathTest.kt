package io.fibry.kotlin

import java.lang.module.ModuleFinder
import java.nio.file.Path
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test

/** Loads the library as modules, like `java --module-path`; the other tests run on the class path. */
class ModulePathTest {

    private val needed = Regex("fibry-(core|kotlin)|kotlin-stdlib|kotlinx-coroutines|reactive-streams|slf4j-api")

    @Test
    fun theModuleResolvesItsDependencies() {
        val paths = System.getProperty("java.class.path").split(java.io.File.pathSeparator)
            .filter { needed.containsMatchIn(it) && !it.endsWith("test-classes") }
        val finder = ModuleFinder.of(*paths.map { Path.of(it) }.toTypedArray())
        val boot = ModuleLayer.boot()
        val configuration = boot.configuration().resolve(finder, ModuleFinder.of(), setOf("io.fibry.kotlin"))
        val loader = boot.defineModulesWithOneLoader(configuration, ClassLoader.getPlatformClassLoader()).findLoader("io.fibry.kotlin")
        val loop = loader.loadClass("io.fibry.kotlin.MessageLoop")
        assertEquals("io.fibry.kotlin", loop.module.name)
        val companion = loop.getField("Companion").get(null)
        companion.javaClass.getMethod("create").invoke(companion) // it uses a package that the core exports to this module only
        assertEquals("kotlinx.coroutines.jdk9", loader.loadClass("kotlinx.coroutines.jdk9.PublishKt").module.name)
    }
}
