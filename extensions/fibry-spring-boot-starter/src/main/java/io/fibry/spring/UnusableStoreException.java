package io.fibry.spring;

import java.sql.SQLException;
import org.springframework.beans.FatalBeanException;

/** Thrown if the store of durable entities cannot be opened on the application's data source. */
final class UnusableStoreException extends FatalBeanException {

    private static final long serialVersionUID = 1L;

    UnusableStoreException(SQLException cause) {
        super("The store of durable entities cannot be opened: " + cause.getMessage(), cause);
    }
}
