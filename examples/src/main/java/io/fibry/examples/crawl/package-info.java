/** A part of {@code FlakyCrawler}: the site to crawl. */
package io.fibry.examples.crawl;
