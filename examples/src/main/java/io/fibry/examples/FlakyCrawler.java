package io.fibry.examples;

import io.fibry.ActorSystem;
import io.fibry.ReplyActor;
import io.fibry.SupervisorSpec;
import io.fibry.SupervisorSpec.Restart;
import io.fibry.examples.crawl.FlakySite;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Crawls a site where about every third request fails. The supervisor restarts a failed fetcher after a backoff; the
 * pages in its mailbox are kept. Each page is requested up to three times. The argument is the seed of the failures, by
 * default 42; the same seed produces the same result.
 * {@code mvn -q -pl examples -am compile exec:exec -Dexample=FlakyCrawler -Dargs="42"}
 */
public final class FlakyCrawler {
    private static final int ATTEMPTS = 3;

    private record Request(String page, int attempt, CompletableFuture<List<String>> links) {}

    private final List<ReplyActor<String, List<String>>> fetchers = new ArrayList<>();
    private final AtomicInteger begun = new AtomicInteger();
    private int requests;

    private FlakyCrawler(ActorSystem system) {
        var spec = SupervisorSpec.oneForOne() // a failure affects one fetcher only
                .limit(1_000, Duration.ofMinutes(1))
                .backoff(Duration.ofMillis(5), Duration.ofMillis(50));
        for (String name : List.of("north", "east", "south", "west")) {
            spec = spec.child(name, Restart.PERMANENT, child -> {
                ReplyActor<String, List<String>> fetcher = child.newActorWithReturnFrom(context -> {
                    begun.incrementAndGet();
                    return FlakySite::links;
                });
                fetchers.add(fetcher); // its handle survives restarts
                return fetcher;
            });
        }
        system.actor("fetchers").newSupervisor(spec);
    }

    public static void main(String[] args) {
        try (var site = new FlakySite(args.length > 0 ? Long.parseLong(args[0]) : 42);
                var system = ActorSystem.create()) {
            System.out.println(new FlakyCrawler(system).crawl(site.home()));
        }
    }

    private String crawl(String home) {
        var found = new HashSet<>(Set.of(home));
        var open = new ArrayDeque<>(List.of(request(home, 1)));
        int failures = 0;
        int givenUp = 0;
        while (!open.isEmpty()) {
            Request next = open.remove();
            try {
                next.links.join().stream().filter(found::add).forEach(link -> open.add(request(link, 1)));
            } catch (CompletionException e) { // the fetcher failed; its supervisor restarts it
                failures++;
                if (next.attempt < ATTEMPTS) {
                    open.add(request(next.page, next.attempt + 1));
                } else {
                    givenUp++;
                }
            }
        }
        return found.size() + " pages found, " + givenUp + " of them given up after " + ATTEMPTS + " attempts; "
                + failures + " of " + requests + " requests failed, " + (begun.get() - fetchers.size()) + " restarts.";
    }

    private Request request(String page, int attempt) {
        var fetcher = fetchers.get(requests++ % fetchers.size());
        return new Request(page, attempt, fetcher.ask(page));
    }
}
