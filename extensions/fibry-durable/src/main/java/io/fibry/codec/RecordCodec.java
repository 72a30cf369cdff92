package io.fibry.codec;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.dataformat.cbor.CBORMapper;

/**
 * A codec for records and values of the JDK, in CBOR. Immutable and thread-safe. Create it once: {@link #of} is slow.
 *
 * {@snippet class = "DurableSnippets" region = "codec"}
 *
 * <p>A message is encoded as an array of two elements: the simple name of the record and its components by name. Only
 * the records of the type can be sent and received, and decoding creates only the declared types of their components;
 * the bytes contain no class names. Jackson annotations have no effect.
 *
 * <p><b>Components</b> may be records, enums, sealed interfaces of records, arrays, {@code List}, {@code Set},
 * {@code Collection}, {@code Map}, {@code Optional}, primitives, {@code String}, {@code UUID}, {@code URI},
 * {@code Locale}, {@code Currency}, {@code BigInteger} and {@code BigDecimal} of up to about 9,800 digits, and all of
 * {@code java.time}. They may be null. Arrays and records may be nested 200 levels deep.
 *
 * <p><b>Versions.</b> Nodes with different versions of the program are compatible if components are only added or
 * removed. A missing component is null, 0, false or an empty {@code Optional}; an unknown component is ignored. The
 * constructor of a record must therefore accept messages of older nodes. Do not send a new record or enum constant
 * before all nodes know it. Renaming is a removal and an addition, because names are sent.
 *
 * <p>Records need not be public. In a named module, their packages must be opened:
 * {@code opens com.example to tools.jackson.databind, io.fibry.durable;}. Without the second name, records of
 * {@code int}, {@code long}, {@code float}, {@code double}, {@code boolean} and strings are decoded more slowly.
 *
 * @param <T> the type of the messages
 */
public final class RecordCodec<T> implements Codec<T> {

    private static final int DEFAULT_LIMIT = 1 << 20;

    /** The maximum length of received text in an exception message. */
    private static final int SHOWN = 200;

    private final Class<T> type;
    private final CBORMapper mapper;
    private final Map<String, Class<?>> types;
    private final Map<String, ObjectReader> readers;
    private final Map<Class<?>, ObjectWriter> writers;
    private final List<FlatRecord> flats;
    private final Map<String, Function<Object, ? extends T>> upcasts;
    private final int limit;

    private RecordCodec(Class<T> type, Map<String, Class<?>> types) {
        this.type = type;
        this.types = types;
        mapper = RecordMapper.create();
        readers = new LinkedHashMap<>();
        writers = new LinkedHashMap<>();
        types.forEach((name, message) -> {
            readers.put(name, mapper.readerFor(message));
            writers.put(message, mapper.writerFor(message));
        });
        flats = types.values().stream()
                .map(FlatRecord::of)
                .filter(Objects::nonNull)
                .toList();
        upcasts = Map.of();
        limit = DEFAULT_LIMIT;
    }

    private RecordCodec(
            RecordCodec<T> from,
            Map<String, ObjectReader> readers,
            Map<String, Function<Object, ? extends T>> upcasts,
            int limit) {
        type = from.type;
        mapper = from.mapper;
        types = from.types;
        writers = from.writers;
        flats = from.flats;
        this.readers = readers;
        this.upcasts = upcasts;
        this.limit = limit;
    }

    /**
     * Returns the codec of a type, for messages of at most 1 MiB.
     *
     * @param type a record, a sealed interface that permits only records, enums and other such interfaces, or a value
     *     of the JDK that may be a component, such as {@code Long} or {@code String}
     * @throws IllegalArgumentException if the type is of another kind, if two of its records have the same simple name,
     *     or if a component has an unsupported type; the message has the remedy
     */
    public static <T> RecordCodec<T> of(Class<T> type) {
        return new RecordCodec<>(type, RecordTypes.of(type));
    }

    /**
     * Returns a codec for messages of at most this size, in bytes. In a cluster all nodes need the same limit.
     *
     * @throws IllegalArgumentException if the limit is not positive
     */
    public RecordCodec<T> limit(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("limit must be at least 1, not " + bytes);
        }
        return new RecordCodec<>(this, readers, upcasts, bytes);
    }

    /**
     * Returns a codec that also decodes messages of a former type, and converts them. It does not encode them. This
     * allows changes that are neither an addition nor a removal of components: give the changed record a new name, and
     * keep the old one for decoding.
     *
     * {@snippet class = "DurableSnippets" region = "upcast"}
     *
     * @param former a record, or a sealed interface as in {@link #of}
     * @param upcast converts a message; it must not return null. Its exceptions fail the decoding
     * @throws IllegalArgumentException if the type is not supported, or if this codec already has a record with the
     *     simple name of one of its records
     */
    public <O> RecordCodec<T> upcast(Class<O> former, Function<? super O, ? extends T> upcast) {
        Objects.requireNonNull(upcast, "upcast");
        Map<String, ObjectReader> allReaders = new LinkedHashMap<>(readers);
        Map<String, Function<Object, ? extends T>> allUpcasts = new LinkedHashMap<>(upcasts);
        RecordTypes.of(former).forEach((name, message) -> {
            if (allReaders.put(name, mapper.readerFor(message)) != null) {
                throw new IllegalArgumentException("two records have the name " + name + ", one of them "
                        + message.getName() + ": rename the new one, because the old name is stored");
            }
            allUpcasts.put(name, old -> upcast.apply(former.cast(old)));
        });
        return new RecordCodec<>(this, allReaders, allUpcasts, limit);
    }

    /** Returns the maximum size of a message, in bytes. */
    public int limit() {
        return limit;
    }

    /**
     * {@inheritDoc}
     *
     * @throws CodecException if it is null, not of the types of this codec, too large, nested too deeply, or one of its
     *     accessors fails
     */
    @Override
    public byte[] encode(T message) {
        if (message == null) { // callers may bypass null analysis
            throw new CodecException("the message is null", null);
        }
        Class<?> messageType = message.getClass();
        ObjectWriter writer = writers.get(messageType);
        if (writer == null) {
            throw new CodecException(
                    messageType.getName() + " is not a message of " + type.getName() + ". These are: "
                            + RecordTypes.names(types),
                    null);
        }
        var out = new LimitedOutput(limit);
        try (JsonGenerator generator = mapper.createGenerator(out)) {
            generator.writeStartArray(message, 2);
            generator.writeString(messageType.getSimpleName());
            writer.writeValue(generator, message);
            generator.writeEndArray();
        } catch (JacksonException e) {
            throw new CodecException(messageType.getName() + " cannot be encoded: " + reason(e), e);
        }
        if (out.written() > limit) {
            throw tooLarge(messageType.getName(), out.written());
        }
        byte[] bytes = out.toByteArray();
        CborForm.check(bytes, RecordMapper.MAX_DEPTH); // stored messages must be decodable
        return bytes;
    }

    /**
     * {@inheritDoc}
     *
     * @throws CodecException if they are too large, not CBOR, nested too deeply, not a message of this codec, or if the
     *     constructor of its record does not accept them
     */
    @Override
    public T decode(byte[] bytes) {
        Objects.requireNonNull(bytes, "bytes");
        if (bytes.length > limit) {
            throw tooLarge("a message", bytes.length);
        }
        for (FlatRecord flat : flats) {
            if (flat.isHeadOf(bytes)) {
                Object value = flat.decode(bytes);
                return value == null ? parsed(bytes) : type.cast(value);
            }
        }
        return parsed(bytes);
    }

    /** Decodes any bytes by Jackson. */
    T parsed(byte[] bytes) {
        CborForm.check(bytes, RecordMapper.MAX_DEPTH);
        try (JsonParser parser = mapper.createParser(bytes)) {
            if (parser.nextToken() != JsonToken.START_ARRAY || parser.nextToken() != JsonToken.VALUE_STRING) {
                throw new CodecException("no array of a name and a record", null);
            }
            String name = parser.getString();
            ObjectReader reader = readers.get(name);
            if (reader == null) {
                throw new CodecException(
                        "\"" + shortened(name) + "\" is not a message of " + type.getName() + ". These are: "
                                + RecordTypes.names(types),
                        null);
            }
            return converted(name, value(parser, reader, name));
        } catch (CodecException e) {
            throw e;
        } catch (RuntimeException e) { // from Jackson, or from a class that parses a text for it
            throw new CodecException("a message of " + type.getName() + " cannot be decoded: " + reason(e), e);
        }
    }

    private T converted(String name, Object value) {
        Function<Object, ? extends T> upcast = upcasts.get(name);
        if (upcast == null) {
            return type.cast(value);
        }
        T converted = upcast.apply(value);
        if (converted == null) {
            throw new CodecException("the upcast of " + name + " has returned null", null);
        }
        return converted;
    }

    private static Object value(JsonParser parser, ObjectReader reader, String name) {
        parser.nextToken();
        Object value = reader.readValue(parser);
        if (value == null) {
            throw new CodecException(name + " is null", null);
        }
        if (parser.nextToken() != JsonToken.END_ARRAY) {
            throw new CodecException("more than a name and a record", null);
        }
        return value;
    }

    /** Omits the location and the path, which may be long. */
    private static String reason(RuntimeException e) {
        String message = e instanceof JacksonException j ? j.getOriginalMessage() : e.getMessage();
        return message == null ? e.getClass().getName() : shortened(message);
    }

    private static String shortened(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }

    private CodecException tooLarge(String what, long size) {
        return new CodecException(what + " has " + size + " bytes, more than the limit of " + limit, null);
    }

    @Override
    public String toString() {
        return "RecordCodec of " + type.getName();
    }
}
