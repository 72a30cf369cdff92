/**
 * Durable entities in an SQL database, and codecs for records. A program that keeps state in H2 needs the
 * module {@code com.h2database} too.
 */
@SuppressWarnings("requires-automatic") // H2 has no descriptor
module io.fibry.durable {
    requires transitive io.fibry;
    requires transitive java.sql;
    requires tools.jackson.databind;
    requires tools.jackson.dataformat.cbor;
    requires org.slf4j;
    requires static com.h2database;
    requires static org.jspecify;

    exports io.fibry.codec;
    exports io.fibry.durable;

    uses io.fibry.durable.TransactionContext;
}
