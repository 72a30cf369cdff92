package io.fibry.spring;

import org.springframework.core.env.PropertyResolver;

/**
 * The attributes of a {@link FibryActor} that may contain placeholders, with their values.
 *
 * @param name the name of the actor
 * @param qualifier the name for injection: that of the bean if the annotation has none, or one that is a placeholder
 * @param capacity the capacity of the mailbox; 0 if it has no limit
 */
record ActorAttributes(String name, String qualifier, int capacity) {

    /** @throws InvalidActorException if a placeholder has no value, or the capacity is invalid */
    static ActorAttributes of(String bean, FibryActor actor, PropertyResolver properties) {
        String name = resolve("name", actor.name(), bean, properties);
        String ownOrBean = name.isBlank() ? bean : name;
        String qualifier = actor.name().contains("${") ? bean : ownOrBean;
        return new ActorAttributes(ownOrBean, qualifier, capacity(bean, actor, properties));
    }

    private static int capacity(String bean, FibryActor actor, PropertyResolver properties) {
        if (actor.capacityString().isEmpty()) {
            return checked(bean, actor.capacity());
        }
        if (actor.capacity() != 0) {
            throw new InvalidActorException(
                    "The actor of the bean '" + bean + "' has both capacity and capacityString.",
                    "Leave out one of them.");
        }
        String text = resolve("capacityString", actor.capacityString(), bean, properties);
        try {
            return checked(bean, Integer.parseInt(text.strip()));
        } catch (NumberFormatException e) {
            throw new InvalidActorException(
                    "The actor of the bean '" + bean + "' has the capacity '" + text + "', from "
                            + actor.capacityString() + ", which is not a number.",
                    "Set it to the number of messages that may wait, or to 0 for no limit.");
        }
    }

    private static int checked(String bean, int capacity) {
        if (capacity < 0) {
            throw new InvalidActorException(
                    "The actor of the bean '" + bean + "' has the capacity " + capacity + ".",
                    "Set capacity to the number of messages that may wait, or leave it out for no limit.");
        }
        return capacity;
    }

    private static String resolve(String attribute, String text, String bean, PropertyResolver properties) {
        try {
            return properties.resolveRequiredPlaceholders(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidActorException(
                    "The attribute " + attribute + " of @FibryActor at the bean '" + bean + "' has no value: "
                            + e.getMessage() + '.',
                    "Set the property, or add a default to the placeholder, as in ${orders.capacity:1000}.");
        }
    }
}
