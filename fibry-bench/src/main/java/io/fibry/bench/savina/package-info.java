/**
 * The Savina suite (Imam and Sarkar, AGERE 2014): workloads of actors, each written once, over a thin layer for each peer. The
 * layer allocates nothing for a message. An actor has one object of it, with all peers.
 */
@NullMarked
package io.fibry.bench.savina;

import org.jspecify.annotations.NullMarked;
