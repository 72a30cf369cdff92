/** Virtual time for tests of Spring Boot applications. Requires {@code fibry-test} as a test dependency. */
@NullMarked
package io.fibry.spring.test;

import org.jspecify.annotations.NullMarked;
