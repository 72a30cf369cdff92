package io.fibry.codec;

import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.ZoneId;
import java.util.Collection;
import java.util.Currency;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.type.TypeFactory;

/**
 * Finds the records of a type, and checks that their components can be decoded. It accepts a closed list of types:
 * Jackson would encode many more, but would lose data of some, or let the bytes choose the classes of others.
 */
final class RecordTypes {

    private static final Set<Class<?>> VALUES = Set.of(
            String.class,
            Boolean.class,
            Byte.class,
            Short.class,
            Integer.class,
            Long.class,
            Float.class,
            Double.class,
            Character.class,
            BigInteger.class,
            BigDecimal.class,
            UUID.class,
            URI.class,
            Locale.class,
            Currency.class,
            ZoneId.class,
            OptionalInt.class,
            OptionalLong.class,
            OptionalDouble.class);

    private static final Set<Class<?>> CONTAINERS =
            Set.of(Collection.class, List.class, Set.class, Map.class, Optional.class);

    private static final Set<Class<?>> NO_KEYS = Set.of(
            Optional.class,
            OptionalInt.class,
            OptionalLong.class,
            OptionalDouble.class,
            BigInteger.class,
            BigDecimal.class);

    private final TypeFactory factory = TypeFactory.createDefaultInstance();
    private final Set<JavaType> seen = new HashSet<>();

    private RecordTypes() {}

    /**
     * Returns the message types by simple name: the type itself, or the permitted subtypes of the interface.
     *
     * @throws IllegalArgumentException if a type is not supported; the message names the type and the remedy
     */
    static Map<String, Class<?>> of(Class<?> type) {
        var types = new RecordTypes();
        Map<String, Class<?>> messages = permitted(type);
        messages.values().forEach(message -> types.visit(types.factory.constructType(message), type.getName()));
        return messages;
    }

    /** Returns the records and enums permitted by a sealed interface. */
    static Map<String, Class<?>> permitted(Class<?> type) {
        var found = new LinkedHashMap<String, Class<?>>();
        collect(type, type, found);
        return found;
    }

    private static void collect(Class<?> type, Class<?> root, Map<String, Class<?>> found) {
        if (type.isRecord() || (type.isEnum() && type != root) || (type == root && isMessage(type))) {
            Class<?> other = found.put(type.getSimpleName(), type);
            if (other != null && other != type) {
                throw new IllegalArgumentException(root.getName() + " permits two types with the name "
                        + type.getSimpleName() + ": " + other.getName() + " and " + type.getName()
                        + ". Rename one: the name is what is sent");
            }
        } else if (type.isInterface() && type.isSealed()) {
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                collect(permitted, root, found);
            }
        } else if (type == root) {
            throw new IllegalArgumentException(type.getName()
                    + " is not a record, nor a sealed interface, nor a value such as Long or String: make"
                    + " it a record, or write a Codec for it");
        } else {
            throw new IllegalArgumentException(root.getName() + " permits " + type.getName()
                    + ", which is not a record: make it one, or an enum, or a sealed interface of records");
        }
    }

    private void visit(JavaType type, String where) {
        if (!seen.add(type)) {
            return;
        }
        Class<?> raw = type.getRawClass();
        if (raw.isRecord()) {
            checkAccess(raw);
            for (RecordComponent component : raw.getRecordComponents()) {
                visit(
                        factory.resolveMemberType(component.getGenericType(), type.getBindings()),
                        "component " + component.getName() + " of record " + raw.getName());
            }
        } else if (raw.isInterface() && raw.isSealed()) {
            permitted(raw).values().forEach(permitted -> visit(factory.constructType(permitted), where));
        } else if (raw.isEnum()) {
            if (raw.isSealed()) {
                throw new IllegalArgumentException(where + " is the enum " + raw.getName()
                        + ", which has constants with a body: move the body into a method");
            }
        } else if (type.isArrayType()) {
            visit(type.getContentType(), where);
        } else if (CONTAINERS.contains(raw)) {
            visitContents(type, where);
        } else if (!isValue(raw)) {
            throw new IllegalArgumentException(where + " has the type " + type.toCanonical()
                    + ". A codec knows records, enums, sealed interfaces of records, arrays, List, Set, Collection,"
                    + " Map, Optional, primitives, String, UUID, URI, Locale, Currency, BigInteger, BigDecimal and"
                    + " java.time");
        }
    }

    private void visitContents(JavaType type, String where) {
        if (type.isMapLikeType()) {
            JavaType key = type.getKeyType();
            Class<?> raw = key.getRawClass();
            if (!raw.isEnum() && (!isValue(raw) || NO_KEYS.contains(raw))) {
                throw new IllegalArgumentException(where + " is a Map with keys of the type " + key.toCanonical()
                        + ". Keys have to be texts, numbers, enums, UUID or java.time; use a list of records instead");
            }
            visit(key, where);
        }
        for (int i = 0; i < type.containedTypeCount(); i++) {
            visit(type.containedTypeOrUnknown(i), where);
        }
        if (type.containedTypeCount() == 0) {
            throw new IllegalArgumentException(
                    where + " is a " + type.getRawClass().getSimpleName() + " without type arguments");
        }
    }

    /** Returns whether a value of the JDK can be a message. Its class has to be the type itself. */
    private static boolean isMessage(Class<?> type) {
        return isValue(type) && !type.isPrimitive() && !Modifier.isAbstract(type.getModifiers());
    }

    private static boolean isValue(Class<?> type) {
        return type.isPrimitive()
                || VALUES.contains(type)
                || (type.getPackageName().equals("java.time") && !Modifier.isAbstract(type.getModifiers()));
    }

    /** Fails early instead of at the first message. */
    private static void checkAccess(Class<?> type) {
        Module module = type.getModule();
        Module jackson = ObjectMapper.class.getModule();
        if (!module.isOpen(type.getPackageName(), jackson)) {
            throw new IllegalArgumentException(
                    "module " + module.getName() + " does not open " + type.getName() + ": add \"opens "
                            + type.getPackageName() + " to tools.jackson.databind;\" to its module-info.java");
        }
    }

    /** Returns the sorted names of types, for exception messages. */
    static String names(Map<String, Class<?>> types) {
        return types.keySet().stream().sorted().collect(Collectors.joining(", "));
    }
}
