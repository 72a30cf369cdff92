/**
 * State machines as actors: {@link io.fibry.state.StateMachine}, defined by a {@link io.fibry.state.StateMachineSpec};
 * the entry point is {@code Stereotypes.stateMachine}.
 *
 * <p>Stability: preview.
 *
 * @since 0.1
 */
@NullMarked
package io.fibry.state;

import org.jspecify.annotations.NullMarked;
