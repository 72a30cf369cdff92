package io.fibry.testing;

import io.fibry.ActorContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Contexts of actors that run code of a test before and after a method. */
public final class FakeContext {

    private FakeContext() {}

    /** Returns a context that calls the given one, and runs code before and after the method with this name. */
    @SuppressWarnings("unchecked") // each call is passed to a context of this type
    public static <M> ActorContext<M> around(ActorContext<M> context, String name, Runnable before, Runnable after) {
        return (ActorContext<M>) Proxy.newProxyInstance(
                FakeContext.class.getClassLoader(), new Class<?>[] {ActorContext.class}, (self, method, args) -> {
                    boolean chosen = method.getName().equals(name);
                    if (chosen) {
                        before.run();
                    }
                    try {
                        return method.invoke(context, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    } finally {
                        if (chosen) {
                            after.run();
                        }
                    }
                });
    }
}
