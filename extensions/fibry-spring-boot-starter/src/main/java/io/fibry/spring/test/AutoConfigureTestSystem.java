package io.fibry.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.test.context.aot.DisabledInAotMode;

/**
 * Puts the actors of the application context of a test class under virtual time, for {@code @SpringBootTest} and for
 * slices. Requires {@code fibry-test} as a test dependency.
 *
 * <pre>{@code
 * @SpringBootTest
 * @AutoConfigureTestSystem
 * class SessionTest {
 *     @Autowired TestSystem test;
 *     @Autowired @Qualifier("session") Actor<String> session;
 *
 *     @Test
 *     void aSessionEndsAfterFiveMinutes() {
 *         session.tell("hello");
 *         test.advance(Duration.ofMinutes(5));
 *         ..
 *     }
 * }
 * }</pre>
 *
 * <p>Each test method has its own context and its own {@link io.fibry.test.TestSystem TestSystem}, which is a bean of
 * the context. The system exists before the context, so virtual time applies to every actor system that the
 * application makes during its start. After the method, the context is closed, then the test system, whose failure
 * fails the method.
 *
 * <p>Only the thread of the test and the actors may send messages. {@code MockMvc} calls controllers on the thread of
 * the test; a server on a port, {@code @Async} methods and schedulers have threads of their own, and a message from
 * one of them fails the test. Durable entities need a store of {@code SimulatedDatabase}. The restrictions of
 * {@code TestSystem} apply, and the tests are disabled in Spring's AOT mode.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@DisabledInAotMode
public @interface AutoConfigureTestSystem {}
