/** Actors as beans of Spring Boot. */
@NullMarked
package io.fibry.spring;

import org.jspecify.annotations.NullMarked;
