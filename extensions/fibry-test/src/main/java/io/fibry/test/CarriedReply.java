package io.fibry.test;

import io.fibry.ReplyTo;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the {@link ReplyTo} that a message carries in one of its fields, or that the message is itself. */
final class CarriedReply {

    private CarriedReply() {}

    /**
     * Returns the address, or null if the message has none.
     *
     * @throws IllegalStateException if the message has several, or does not let this module read it
     */
    static @Nullable ReplyTo<Object> of(Object message) {
        if (message instanceof ReplyTo<?> itself) {
            return ofAnyType(itself);
        }
        Map<String, ReplyTo<?>> found = new LinkedHashMap<>();
        for (Class<?> type = message.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && read(field, message) instanceof ReplyTo<?> address) {
                    found.put(field.getName(), address);
                }
            }
        }
        if (found.size() > 1) {
            throw new IllegalStateException(Trace.text(message) + " has several addresses for a reply: "
                    + String.join(", ", found.keySet()) + "; call reply of the right one instead");
        }
        return found.isEmpty() ? null : ofAnyType(found.values().iterator().next());
    }

    private static @Nullable Object read(Field field, Object message) {
        if (field.trySetAccessible()) {
            try {
                return field.get(message);
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }
        if (ReplyTo.class.isAssignableFrom(field.getType())) {
            String owner = field.getDeclaringClass().getPackageName();
            throw new IllegalStateException("the field " + field.getName() + " of " + Trace.text(message)
                    + " is not accessible; open the package " + owner
                    + " to io.fibry.test, or call reply of the message's own ReplyTo");
        }
        return null; // of the JDK, or of another module that does not open its package
    }

    @SuppressWarnings("unchecked") // the test must reply with values of its type
    private static ReplyTo<Object> ofAnyType(ReplyTo<?> address) {
        return (ReplyTo<Object>) address;
    }
}
