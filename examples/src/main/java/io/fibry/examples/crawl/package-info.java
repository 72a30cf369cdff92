/** A part of {@code FlakyCrawler}: the site that it visits. */
package io.fibry.examples.crawl;
