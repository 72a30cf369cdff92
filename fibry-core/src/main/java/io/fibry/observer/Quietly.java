package io.fibry.observer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes what the page has opened. */
final class Quietly {

    private static final Logger LOG = LoggerFactory.getLogger(Observer.class);

    private Quietly() {}

    static void close(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            LOG.warn("Could not close {}", resource, e);
        }
    }
}
