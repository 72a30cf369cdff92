package io.fibry.examples;

import io.fibry.test.ActorTest;
import io.fibry.test.ScheduleFailure;
import io.fibry.test.Schedules;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Runs the test methods of a document, and prints their failures. */
public final class TestMethods {

    private TestMethods() {}

    public static void run(Object tests) {
        for (Method method : tests.getClass().getDeclaredMethods()) {
            ActorTest test = method.getAnnotation(ActorTest.class);
            if (test != null) {
                run(tests, method, test.seeds());
            }
        }
    }

    private static void run(Object tests, Method method, int seeds) {
        method.setAccessible(true);
        try {
            Schedules.random(seeds).check(system -> {
                try {
                    method.invoke(tests, system);
                } catch (InvocationTargetException e) {
                    throw new AssertionError(e.getCause().getMessage(), e.getCause());
                }
            });
        } catch (ScheduleFailure e) {
            System.out.println(e.getMessage().lines().findFirst().orElse(""));
        }
    }
}
