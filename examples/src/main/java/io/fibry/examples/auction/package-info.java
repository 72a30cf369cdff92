/** The parts of the example {@code AuctionHouse}. */
package io.fibry.examples.auction;
