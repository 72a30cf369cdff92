package io.fibry;

import static com.tngtech.archunit.base.DescribedPredicate.anyElementThat;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The findings of javac's lint for exports; the lint itself requires static dependencies to be transitive. */
class ExportsTest {

    private static final String[] EXPORTED = {
        "io.fibry",
        "io.fibry.batch",
        "io.fibry.entity",
        "io.fibry.flow",
        "io.fibry.generator",
        "io.fibry.http",
        "io.fibry.mapreduce",
        "io.fibry.net",
        "io.fibry.observer",
        "io.fibry.pool",
        "io.fibry.schedule",
        "io.fibry.state",
        "io.fibry.stereotypes",
        "io.fibry.topic"
    };

    @Test
    void noTypeOfAHiddenPackageIsInThePublicApi() {
        DescribedPredicate<JavaClass> hidden = resideInAnyPackage("io.fibry..").and(resideOutsideOfPackages(EXPORTED));
        var library = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.fibry");
        noMethods()
                .that()
                .arePublic()
                .and()
                .areDeclaredInClassesThat()
                .arePublic()
                .and()
                .areDeclaredInClassesThat()
                .resideInAnyPackage(EXPORTED)
                .should()
                .haveRawReturnType(hidden)
                .orShould()
                .haveRawParameterTypes(anyElementThat(hidden))
                .check(library);
    }
}
