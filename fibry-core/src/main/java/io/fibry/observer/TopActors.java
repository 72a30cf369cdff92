package io.fibry.observer;

import io.fibry.kernel.ActorView;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The actors of one page: of all that are offered, those that come first in an order. It holds a few more than the page
 * shows, whatever number is offered, and creates an object only for an actor that is then among the first.
 */
final class TopActors {

    /**
     * How many more actors are held than shown. Two actors may have the same id, and then the same position. The next
     * page begins behind the last position, so equal positions must be on one page.
     */
    private static final int SPARE = 8;

    record Entry(Position position, ActorView actor) {}

    private final int size;
    private final boolean descending;
    private final boolean backward;
    private final PriorityQueue<Entry> lastFirst = new PriorityQueue<>((a, b) -> compare(b.position, a.position));

    /** @param backward whether the last actors of the order are kept, instead of the first ones */
    TopActors(int size, boolean descending, boolean backward) {
        this.size = size;
        this.descending = descending;
        this.backward = backward;
    }

    private int compare(Position a, Position b) {
        return backward ? b.compare(a, descending) : a.compare(b, descending);
    }

    void offer(long number, String text, ActorView actor) {
        int id = actor.id();
        if (lastFirst.size() == size + SPARE) {
            int order = lastFirst.element().position.compare(number, text, id, descending);
            if (backward ? order >= 0 : order <= 0) {
                return;
            }
            lastFirst.remove();
        }
        lastFirst.add(new Entry(new Position(number, text, id), actor));
    }

    /** Returns the actors of the page in the order of the list. */
    List<Entry> page() {
        var page = new ArrayList<>(lastFirst);
        page.sort((a, b) -> compare(a.position, b.position));
        int end = Math.min(size, page.size());
        while (end > 0 && end < page.size() && page.get(end).position.equals(page.get(end - 1).position)) {
            end++;
        }
        List<Entry> shown = page.subList(0, end);
        return backward ? shown.reversed() : shown;
    }
}
