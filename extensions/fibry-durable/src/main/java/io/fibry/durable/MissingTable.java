package io.fibry.durable;

import java.sql.SQLException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Adds the remedy to the failure of a statement whose table is missing, although the store was opened with it. */
final class MissingTable {

    /** The SQLSTATEs of a missing table, in PostgreSQL and H2. */
    private static final Set<String> STATES = Set.of("42P01", "42S02", "42S03", "42S04");

    /** The first name in the message; in H2, the statement follows. */
    private static final Pattern NAME = Pattern.compile("fibry_[a-z]+", Pattern.CASE_INSENSITIVE);

    private MissingTable() {}

    /** Returns the failure of a statement with its remedy, or the same one for another reason. */
    static SQLException explain(SQLException failure) {
        Matcher name = NAME.matcher(String.valueOf(failure.getMessage()));
        if (!STATES.contains(String.valueOf(failure.getSQLState())) || !name.find()) {
            return failure;
        }
        return new SQLException(
                "the table " + name.group().toLowerCase(Locale.ROOT) + " is missing, although the store was opened with"
                        + " it. Restore it with its rows; JdbcStore.createSchema would create it without them: "
                        + failure.getMessage(),
                failure.getSQLState(),
                failure.getErrorCode(),
                failure);
    }
}
