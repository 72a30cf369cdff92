package io.fibry.test;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Runs the method of an {@link ActorTest} once for each schedule. */
final class ActorTestExtension implements InvocationInterceptor, ParameterResolver {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext extension) {
        return parameter.getParameter().getType() == TestSystem.class;
    }

    /** Returns null, a placeholder: each run passes its own system. */
    @Override
    public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext extension) {
        return null;
    }

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> context,
            ExtensionContext extension) {
        invocation.skip();
        Method method = context.getExecutable();
        method.setAccessible(true);
        Object instance = context.getTarget().orElse(null);
        Object[] arguments = context.getArguments().toArray();
        int place = placeOfSystem(method);
        schedules(method.getAnnotation(ActorTest.class)).check(system -> {
            Object[] own = arguments.clone();
            if (place >= 0) {
                own[place] = system;
            }
            invoke(method, instance, own);
        });
    }

    private static int placeOfSystem(Method method) {
        Class<?>[] types = method.getParameterTypes();
        for (int i = 0; i < types.length; i++) {
            if (types[i] == TestSystem.class) {
                return i;
            }
        }
        return -1;
    }

    private static Schedules schedules(ActorTest test) {
        if (!test.schedule().equals("none")) {
            return Schedules.schedule(test.schedule());
        }
        Schedules all = switch (test.strategy()) {
            case RANDOM -> Schedules.random(test.seeds());
            case PCT -> Schedules.pct(test.seeds(), test.depth());
            case ALL -> Schedules.all(test.seeds());
        };
        return test.seed() == 0 ? all : all.only(test.seed());
    }

    private static void invoke(Method method, @Nullable Object instance, Object[] arguments) throws Exception {
        try {
            method.invoke(instance, arguments);
        } catch (InvocationTargetException e) {
            switch (e.getCause()) {
                case Exception cause -> throw cause;
                case Error cause -> throw cause;
                case null, default -> throw e;
            }
        }
    }
}
