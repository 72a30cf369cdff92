/**
 * Actors as beans of Spring Boot.
 *
 * <p>Stability: preview.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.spring;

import org.jspecify.annotations.NullMarked;
