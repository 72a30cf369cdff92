package io.fibry;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/**
 * The layers: the kernel imports no feature, features do not import each other but for what the servers share, the stereotypes
 * are on top, and the library needs nothing but slf4j. Seen to fail: the kernel naming the stereotypes, and the
 * net naming the schedule.
 */
class ArchitectureTest {

    private static final JavaClasses LIBRARY = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.fibry");

    @Test
    void theKernelImportsNoFeature() {
        noClasses()
                .that()
                .resideInAPackage("io.fibry")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.fibry.(*)..")
                .check(LIBRARY);
    }

    @Test
    void featuresDoNotImportEachOther() {
        slices().matching("io.fibry.(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(resideInAPackage("io.fibry.stereotypes"), alwaysTrue())
                .ignoreDependency(
                        resideInAnyPackage("io.fibry.http", "io.fibry.net"), resideInAPackage("io.fibry.sockets"))
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
                        "com.sun.net.httpserver..",
                        "org.slf4j..",
                        "org.jspecify..",
                        "io.fibry..")))
                .check(LIBRARY);
    }
}
