package io.fibry;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Control;
import io.fibry.dispatch.ControlledFuture;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.LogLimit;
import io.fibry.dispatch.LogText;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.dispatch.Stacks;
import io.fibry.dispatch.Time;
import org.junit.jupiter.api.Test;

/**
 * The layers: the dispatchers know nothing of actors, the kernel imports no feature, features do not import each other,
 * the observer is above http alone, the stereotypes are on top, and the library needs nothing but slf4j.
 * {@link FloorsTest} defines the layers inside the kernel.
 *
 * <p>Seen to fail: the kernel naming the stereotypes, the net naming the schedule, a dispatcher naming a StopMode, and
 * the net naming a runner.
 */
class ArchitectureTest {

    private static final String DISPATCH = "io.fibry.dispatch";
    private static final String FLIGHT = "io.fibry.flight";

    private static final JavaClasses LIBRARY = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.fibry");

    @Test
    void theDispatchersImportNothingOfTheLibrary() {
        noClasses()
                .that()
                .resideInAPackage(DISPATCH)
                .should()
                .dependOnClassesThat(resideInAPackage("io.fibry..").and(not(resideInAnyPackage(DISPATCH, FLIGHT))))
                .check(LIBRARY);
    }

    @Test
    void theEventsOfFlightRecorderImportNothingOfTheLibrary() {
        noClasses()
                .that()
                .resideInAPackage(FLIGHT)
                .should()
                .dependOnClassesThat(resideInAPackage("io.fibry..").and(not(resideInAPackage(FLIGHT))))
                .check(LIBRARY);
    }

    /** A program may run without the module jdk.jfr. */
    @Test
    void onlyTheEventsKnowFlightRecorder() {
        noClasses()
                .that()
                .resideOutsideOfPackage(FLIGHT)
                .should()
                .dependOnClassesThat(resideInAPackage("jdk.jfr.."))
                .check(LIBRARY);
    }

    @Test
    void featuresUseOnlyTheClockAndTheHelpersOfTheDispatchers() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.fibry", DISPATCH, FLIGHT)
                .should()
                .dependOnClassesThat(resideInAnyPackage(DISPATCH, FLIGHT)
                        .and(not(belongToAnyOf(
                                Alarm.class,
                                Control.class,
                                ControlledFuture.class,
                                Durations.class,
                                LogLimit.class,
                                LogText.class,
                                OutOfMemory.class,
                                Stacks.class,
                                Time.class))))
                .check(LIBRARY);
    }

    @Test
    void theKernelImportsNoFeature() {
        noClasses()
                .that()
                .resideInAPackage("io.fibry")
                .should()
                .dependOnClassesThat(resideInAPackage("io.fibry.(*)..").and(not(resideInAnyPackage(DISPATCH, FLIGHT))))
                .check(LIBRARY);
    }

    @Test
    void featuresDoNotImportEachOther() {
        slices().matching("io.fibry.(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(resideInAPackage("io.fibry.stereotypes"), alwaysTrue())
                .ignoreDependency(resideInAPackage("io.fibry.observer"), resideInAPackage("io.fibry.http"))
                .ignoreDependency(alwaysTrue(), resideInAPackage(DISPATCH))
                .ignoreDependency(resideInAPackage(DISPATCH), resideInAPackage(FLIGHT))
                .ignoreDependency(
                        resideInAnyPackage("io.fibry.http", "io.fibry.net", "io.fibry.observer"),
                        resideInAPackage("io.fibry.sockets"))
                .check(LIBRARY);
    }

    @Test
    void nothingImportsTheStereotypes() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.fibry.stereotypes")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.fibry.stereotypes")
                .check(LIBRARY);
    }

    @Test
    void theLibraryNeedsNothingButItsLog() {
        noClasses()
                .should()
                .dependOnClassesThat(not(resideInAnyPackage(
                        "java..",
                        "javax.net..",
                        "javax.management..", // if the runtime has it
                        "com.sun.net.httpserver..",
                        "jdk.jfr..",
                        "org.slf4j..",
                        "org.jspecify..",
                        "io.fibry..")))
                .check(LIBRARY);
    }
}
