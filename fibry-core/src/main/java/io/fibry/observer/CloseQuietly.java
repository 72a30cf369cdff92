package io.fibry.observer;

import io.fibry.dispatch.LogText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes the resources of the page. */
final class CloseQuietly {

    private static final Logger LOG = LoggerFactory.getLogger(Observer.class);

    private CloseQuietly() {}

    static void close(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            LOG.warn("Could not close {}", LogText.plain(resource), LogText.plainTrace(e));
        }
    }
}
