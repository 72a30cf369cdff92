package io.fibry.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.dataformat.cbor.CBORFactory;
import tools.jackson.dataformat.cbor.CBORMapper;

/**
 * The Jackson mapper of a {@link RecordCodec}. Decoding returns a value equal to the encoded one, and creates only
 * declared types.
 */
final class RecordMapper {

    /** The maximum nesting depth of arrays and objects, which bounds the stack depth. */
    static final int MAX_DEPTH = 200;

    private RecordMapper() {}

    static CBORMapper create() {
        CBORFactory factory = CBORFactory.builder()
                .recyclerPool(BufferPool.SHARED)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(MAX_DEPTH)
                        // Limited by CborForm and by the message size: every encoded message can be decoded.
                        .maxStringLength(Integer.MAX_VALUE)
                        .maxNameLength(Integer.MAX_VALUE)
                        .maxNumberLength(Integer.MAX_VALUE)
                        .build())
                .streamWriteConstraints(StreamWriteConstraints.builder()
                        .maxNestingDepth(MAX_DEPTH)
                        .build())
                .build();
        return CBORMapper.builder(factory)
                // Replaces Jackson's, which prevents annotations from selecting classes by name.
                .annotationIntrospector(new SealedNames())
                .enable(MapperFeature.INFER_RECORD_GETTERS_FROM_COMPONENTS_ONLY)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .disable(
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS) // CborForm checks it; the parser would continue
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(EnumFeature.READ_ENUMS_USING_TO_STRING)
                .disable(EnumFeature.WRITE_ENUMS_USING_TO_STRING)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .disable(DateTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID)
                .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
                .build();
    }

    /**
     * Encodes a value whose declared type is a sealed interface like a message: as an array of the simple name and the
     * fields. Accepts only names of permitted subtypes.
     */
    private static final class SealedNames extends NopAnnotationIntrospector {

        private static final long serialVersionUID = 1;

        @Override
        public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(MapperConfig<?> config, Annotated annotated) {
            return isFamily(annotated.getRawType())
                    ? JsonTypeInfo.Value.construct(
                            JsonTypeInfo.Id.NAME, JsonTypeInfo.As.WRAPPER_ARRAY, null, null, false, null)
                    : null;
        }

        @Override
        public @Nullable List<NamedType> findSubtypes(MapperConfig<?> config, Annotated annotated) {
            Class<?> type = annotated.getRawType();
            return isFamily(type)
                    ? RecordTypes.permitted(type).entrySet().stream()
                            .map(entry -> new NamedType(entry.getValue(), entry.getKey()))
                            .toList()
                    : null;
        }

        @Override
        public @Nullable String findTypeName(MapperConfig<?> config, AnnotatedClass type) {
            return type.getRawType().getSimpleName();
        }

        private static boolean isFamily(Class<?> type) {
            return type.isInterface() && type.isSealed();
        }
    }
}
