/**
 * The Savina suite (Imam and Sarkar, AGERE 2014): actor workloads, each written once on a thin layer for each peer. The
 * layer does not allocate per message, and has one object per actor with all peers.
 */
@NullMarked
package io.fibry.bench.savina;

import org.jspecify.annotations.NullMarked;
