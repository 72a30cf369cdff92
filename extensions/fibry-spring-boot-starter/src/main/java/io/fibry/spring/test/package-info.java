/**
 * Virtual time for tests of Spring Boot applications. Requires {@code fibry-test} as a test dependency.
 *
 * <p>Stability: preview.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.spring.test;

import org.jspecify.annotations.NullMarked;
