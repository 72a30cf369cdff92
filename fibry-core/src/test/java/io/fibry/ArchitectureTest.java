package io.fibry;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.fibry.dispatch.Alarm;
import io.fibry.dispatch.Control;
import io.fibry.dispatch.ControlledFuture;
import io.fibry.dispatch.Durations;
import io.fibry.dispatch.JsonObject;
import io.fibry.dispatch.LogLimit;
import io.fibry.dispatch.LogText;
import io.fibry.dispatch.OutOfMemory;
import io.fibry.dispatch.StackRoom;
import io.fibry.dispatch.Stacks;
import io.fibry.dispatch.Time;
import io.fibry.kernel.ActorView;
import io.fibry.kernel.Handles;
import io.fibry.kernel.Holding;
import io.fibry.kernel.MessageTap;
import io.fibry.kernel.PlaceAfter;
import io.fibry.kernel.RestartableBehavior;
import io.fibry.kernel.SampledMessage;
import io.fibry.kernel.TimersSnapshot;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The layers: the dispatchers do not depend on actors, the API and the kernel import no feature, features use the API
 * neither each other nor more of the kernel than two options that are not public, the observer is above http alone and
 * reads the actors of its list in the kernel, the stereotypes are on top, and the library needs nothing but slf4j.
 * {@code FloorsTest} has the rules inside the kernel.
 *
 * <p>Seen to fail: the kernel naming the stereotypes, the net naming the schedule, a dispatcher naming a StopMode, the
 * net naming a runner, a feature naming Handles, and a public method that returns a LocalSystem.
 */
class ArchitectureTest {

    private static final String DISPATCH = "io.fibry.dispatch";
    private static final String FLIGHT = "io.fibry.flight";
    private static final String API = "io.fibry";
    private static final String KERNEL = "io.fibry.kernel";

    private static final JavaClasses LIBRARY = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.fibry");

    /** It runs without SLF4J. */
    @Test
    void theCommandLineImportsNothingOfTheLibrary() {
        noClasses()
                .that()
                .resideInAPackage("io.fibry.tool")
                .should()
                .dependOnClassesThat(resideOutsideOfPackages(
                        "java..", "javax.management..", "com.sun.tools.attach..", "org.jspecify..", "io.fibry.tool"))
                .check(LIBRARY);
    }

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
                .resideOutsideOfPackages(API, KERNEL, DISPATCH, FLIGHT)
                .should()
                .dependOnClassesThat(resideInAnyPackage(DISPATCH, FLIGHT)
                        .and(not(belongToAnyOf(
                                Alarm.class,
                                Control.class,
                                ControlledFuture.class,
                                Durations.class,
                                JsonObject.class,
                                LogLimit.class,
                                LogText.class,
                                OutOfMemory.class,
                                StackRoom.class,
                                Stacks.class,
                                Time.class))))
                .check(LIBRARY);
    }

    @Test
    void theKernelImportsNoFeature() {
        noClasses()
                .that()
                .resideInAnyPackage(API, KERNEL)
                .should()
                .dependOnClassesThat(
                        resideInAPackage("io.fibry.(*)..").and(not(resideInAnyPackage(KERNEL, DISPATCH, FLIGHT))))
                .check(LIBRARY);
    }

    @Test
    void featuresUseTheApiAndNotTheKernel() {
        noClasses()
                .that()
                .resideOutsideOfPackages(API, KERNEL)
                .should()
                .dependOnClassesThat(resideInAPackage(KERNEL)
                        .and(not(belongToAnyOf(
                                ActorView.class,
                                Handles.class,
                                Holding.class,
                                MessageTap.class,
                                PlaceAfter.class,
                                RestartableBehavior.class,
                                SampledMessage.class,
                                TimersSnapshot.class))))
                .check(LIBRARY);
    }

    /**
     * The list of the live page would be too slow with a complete snapshot of each of a million actors, and its flow
     * and timelines read sampled messages and timers.
     */
    @Test
    void onlyTheObserverReadsActorsInTheKernel() {
        noClasses()
                .that()
                .resideOutsideOfPackages(API, KERNEL, "io.fibry.observer")
                .should()
                .dependOnClassesThat(
                        belongToAnyOf(ActorView.class, MessageTap.class, SampledMessage.class, TimersSnapshot.class))
                .check(LIBRARY);
    }

    /** A user can name every type in the signatures of the API. */
    @Test
    void noTypeOfTheKernelIsInTheApi() {
        var found = new TreeSet<String>();
        for (JavaClass type : LIBRARY) {
            if (type.getPackageName().equals(API) && isForUsers(type.getModifiers())) {
                type.getRawInterfaces().forEach(superType -> noteKernel(found, type, superType));
                type.getRawSuperclass().ifPresent(superType -> noteKernel(found, type, superType));
                type.getMembers().stream()
                        .filter(member -> isForUsers(member.getModifiers()))
                        .forEach(member -> member.getAllInvolvedRawTypes()
                                .forEach(involved -> noteKernel(found, member, involved)));
            }
        }
        assertEquals(Set.of(), found);
    }

    private static boolean isForUsers(Set<JavaModifier> modifiers) {
        return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
                && !modifiers.contains(JavaModifier.SYNTHETIC);
    }

    private static void noteKernel(Set<String> found, HasName.AndFullName where, JavaClass type) {
        if (type.getPackageName().equals(KERNEL)) {
            found.add(where.getFullName() + " has " + type.getSimpleName());
        }
    }

    @Test
    void featuresDoNotImportEachOther() {
        slices().matching("io.fibry.(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(resideInAPackage("io.fibry.stereotypes"), alwaysTrue())
                .ignoreDependency(resideInAPackage("io.fibry.observer"), resideInAPackage("io.fibry.http"))
                .ignoreDependency(alwaysTrue(), resideInAnyPackage(DISPATCH, KERNEL)) // the kernel: see above
                .ignoreDependency(resideInAnyPackage(DISPATCH, KERNEL), resideInAPackage(FLIGHT))
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
                        "com.sun.tools.attach..", // for the command line of the jar
                        "jdk.jfr..",
                        "org.slf4j..",
                        "org.jspecify..",
                        "io.fibry..")))
                .check(LIBRARY);
    }
}
