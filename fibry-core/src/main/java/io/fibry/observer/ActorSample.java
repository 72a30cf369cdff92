package io.fibry.observer;

import io.fibry.ActorInfo;
import io.fibry.ActorSystem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The states of some actors of a system. Actors with a name, a parent or a child come first. The sample has the data
 * that a dump does not have: rates, the tree, servers, and single actors. The dump has the totals and the worst of all
 * actors.
 *
 * @param actors at most {@value #MOST}, without the actors of the page itself
 * @param own the actors of the page itself
 * @param watched the requested actors, by id
 * @param complete whether there are no more actors
 */
record ActorSample(List<ActorInfo> actors, List<ActorInfo> own, Map<String, ActorInfo> watched, boolean complete) {

    static final int MOST = 10_000;

    /** Looks at further actors only as long as one that is asked for has not been found. */
    static ActorSample take(ActorSystem system, Set<String> ids, String ownName) {
        var actors = new ArrayList<ActorInfo>();
        var own = new ArrayList<ActorInfo>();
        var watched = new HashMap<String, ActorInfo>();
        Iterator<ActorInfo> all = system.actors().iterator();
        while (all.hasNext() && (actors.size() < MOST || watched.size() < ids.size())) {
            ActorInfo actor = all.next();
            if (ids.contains(actor.id())) {
                watched.put(actor.id(), actor);
            }
            if (isOwn(actor, ownName)) {
                own.add(actor);
            } else if (actors.size() < MOST) {
                actors.add(actor);
            }
        }
        return new ActorSample(actors, own, watched, !all.hasNext());
    }

    /** The actors that handle the requests of the page are its children. */
    static boolean isOwn(ActorInfo actor, String ownName) {
        return actor.name().equals(ownName) || ownName.equals(actor.parent());
    }
}
