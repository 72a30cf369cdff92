package io.fibry.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.fibry.Actor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * The floors of the kernel. The state of an actor and its optional parts are below the actor that runs; the actor is
 * below the system and the makers only by the rules of this test, since all of these refer to each other.
 *
 * <p>A nested class belongs to its file. ArchUnit sees no casts, so it does not find a reference that is only a cast.
 *
 * <p>Seen to fail: a Lifecycle that names ActorCell, Timers that name LocalSystem, a cell made by LocalSystem, and a
 * limit below the largest cycle.
 */
class FloorsTest {

    /** The maximum number of files in one cycle of references: the current number. It may only decrease. */
    private static final int LARGEST_CYCLE = 25;

    /** A type with a field of one of these types is an actor, part of an actor's state, or works on it. */
    private static final Set<String> STATE = Set.of("ActorState", "Lifecycle");

    private static final List<JavaClass> KERNEL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS).importPackages("io.fibry.kernel").stream()
                    .filter(type -> !type.isArray() && !type.getName().endsWith("package-info"))
                    .toList();

    private static final Map<String, Set<String>> REFERENCES = references();

    @Test
    void whatHoldsTheStateOfAnActorReachesNoRunningActor() {
        assertBelowTheRunningActor(KERNEL.stream()
                .filter(type -> !type.isAssignableTo(Actor.class))
                .filter(type -> type.getFields().stream()
                        .anyMatch(field -> STATE.contains(field.getRawType().getSimpleName())))
                .map(FloorsTest::file)
                .toList());
    }

    @Test
    void whatAnActorOrASystemExtendsReachesNoRunningActor() {
        assertBelowTheRunningActor(KERNEL.stream()
                .filter(type -> type.isEquivalentTo(ActorCell.class) || type.isEquivalentTo(LocalSystem.class))
                .flatMap(type -> type.getAllRawSuperclasses().stream())
                .filter(type -> type.getPackageName().equals("io.fibry.kernel"))
                .map(FloorsTest::file)
                .toList());
    }

    private static void assertBelowTheRunningActor(List<String> files) {
        assertTrue(files.size() > 2, "the rule applies to some files");
        var violations = new TreeSet<>(files);
        violations.removeIf(file -> !reachableFrom(file).contains("ActorCell"));
        assertEquals(Set.of(), violations);
    }

    @Test
    void onlyTheMakerMakesActors() {
        var makers = new TreeSet<String>();
        for (JavaClass type : KERNEL) {
            for (JavaConstructorCall call : type.getConstructorCallsFromSelf()) {
                if (call.getTargetOwner().isAssignableTo(ActorCell.class)
                        && !call.getOriginOwner().isAssignableTo(ActorCell.class)) {
                    makers.add(file(type));
                }
            }
        }
        assertEquals(Set.of("ActorMaker"), makers);
    }

    @Test
    void cyclesOfFilesDoNotGrow() {
        Set<String> largest = Set.of();
        for (String file : REFERENCES.keySet()) {
            Set<String> cycle = cycleOf(file);
            largest = cycle.size() > largest.size() ? cycle : largest;
        }
        assertTrue(largest.size() <= LARGEST_CYCLE, largest.size() + " files refer to each other: " + largest);
    }

    /** The files that this one refers to, directly or indirectly, and that refer to it. */
    private static Set<String> cycleOf(String file) {
        Set<String> cycle = reachableFrom(file);
        cycle.removeIf(other -> !reachableFrom(other).contains(file));
        return cycle;
    }

    private static Set<String> reachableFrom(String file) {
        Set<String> seen = new TreeSet<>();
        var next = new ArrayList<>(List.of(file));
        while (!next.isEmpty()) {
            for (String target : REFERENCES.getOrDefault(next.removeLast(), Set.of())) {
                if (seen.add(target)) {
                    next.add(target);
                }
            }
        }
        return seen;
    }

    private static Map<String, Set<String>> references() {
        Map<String, Set<String>> references = new TreeMap<>();
        for (JavaClass c : KERNEL) {
            Set<String> targets = references.computeIfAbsent(file(c), f -> new HashSet<>());
            c.getDirectDependenciesFromSelf().stream()
                    .map(Dependency::getTargetClass)
                    .filter(target -> target.getPackageName().equals("io.fibry.kernel") && !target.isArray())
                    .map(FloorsTest::file)
                    .filter(target -> !target.equals(file(c)))
                    .forEach(targets::add);
        }
        return references;
    }

    private static String file(JavaClass c) {
        String name = c.getName().substring("io.fibry.kernel.".length());
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }
}
