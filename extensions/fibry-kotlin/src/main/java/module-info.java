/** Actors for Kotlin: coroutines ask actors, run in actors, and are the behaviors of actors. */
module io.fibry.kotlin {
    requires transitive io.fibry;
    requires transitive kotlin.stdlib;
    requires transitive kotlinx.coroutines.core;
    requires kotlinx.coroutines.jdk9;
    requires org.slf4j;

    exports io.fibry.kotlin;
}
