package io.fibry.observer;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.Supervision;
import io.fibry.SystemOptions;
import io.fibry.http.HttpServerActor;
import io.fibry.stereotypes.Stereotypes;
import io.fibry.testing.Client;
import io.fibry.testing.NoLeftovers;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The list of all actors, as a client gets it.
 *
 * <p>Seen to fail: a last page with the wrong index, an unknown parameter that is ignored, and a page that begins at
 * the position instead of behind it, whose pages never end.
 */
@ExtendWith(NoLeftovers.class)
@Timeout(120)
class ActorListTest {

    private final ActorSystem system =
            ActorSystem.create(SystemOptions.defaults().tracking(true));
    private final HttpServerActor server = Stereotypes.def().in(system).observer(0);
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<Actor<?>> kept = new ArrayList<>();

    @AfterEach
    void close() {
        client.shutdownNow();
        system.close();
        client.close();
    }

    private HttpResponse<String> get(String path) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path));
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> send(String query) throws Exception {
        HttpResponse<String> answer = get("/list.json" + query);
        while (answer.statusCode() == 429) { // the pause after a slow first pass
            assertEquals("1", answer.headers().firstValue("Retry-After").orElseThrow());
            answer = get("/list.json" + query);
        }
        return answer;
    }

    private String list(String query) throws Exception {
        HttpResponse<String> answer = send(query);
        assertEquals(200, answer.statusCode(), answer::body);
        return answer.body();
    }

    private static List<String> all(String json, String member) {
        Matcher values = Pattern.compile("\"" + member + "\":\"?([^\",}]*)").matcher(json);
        return values.results().map(result -> result.group(1)).toList();
    }

    private static String one(String json, String member) {
        return all(json, member).getFirst();
    }

    private static List<String> names(String json) {
        return all(json, "name");
    }

    private Actor<String> sink(String name) {
        Actor<String> actor = system.actor(name).newActor(text -> {});
        kept.add(actor);
        return actor;
    }

    /** Keeps a handler running, with messages behind it. */
    private Actor<String> busy(String name, int waiting, CountDownLatch end) throws Exception {
        var begun = new CountDownLatch(1);
        Actor<String> actor = system.actor(name).newActor(text -> {
            begun.countDown();
            end.await();
        });
        for (int i = 0; i <= waiting; i++) {
            actor.tell("x");
        }
        begun.await();
        return actor;
    }

    /** Equal values, a text, and names that are generated from the ids; each in both directions. */
    @ParameterizedTest
    @CsvSource({"mailbox,asc", "mailbox,desc", "name,asc", "name,desc", "behavior,desc", "state,asc", "rate,desc"})
    void thePagesReachEachActorOnce(String sort, String order) throws Exception {
        for (int i = 0; i < 300; i++) {
            sink("named-" + i);
            kept.add(system.actor().newActor(text -> {}));
        }
        String query = "?size=70&sort=" + sort + "&order=" + order;
        var forward = new ArrayList<String>();
        String page = list(query);
        while (!names(page).isEmpty()) {
            assertEquals(String.valueOf(forward.size()), one(page, "first"));
            assertEquals("600", one(page, "all"));
            forward.addAll(all(page, "id"));
            page = list(query + "&after=" + one(page, "end"));
        }
        assertEquals(600, forward.size());
        assertEquals(600, new HashSet<>(forward).size());

        var backward = new ArrayList<String>();
        page = list(query + "&at=end");
        while (!names(page).isEmpty()) {
            assertEquals(String.valueOf(600 - backward.size() - names(page).size()), one(page, "first"));
            backward.addAll(all(page, "id").reversed());
            page = list(query + "&before=" + one(page, "start"));
        }
        assertEquals(forward, backward.reversed());
    }

    @Test
    void itIsSortedByNumbers() throws Exception {
        var end = new CountDownLatch(1);
        busy("three", 3, end);
        busy("ten", 10, end);
        busy("one", 1, end);
        sink("none").tell("x");
        await().until(() -> all(list("?sort=handled"), "handled").getFirst().equals("1"));
        assertEquals(List.of("ten", "three", "one", "none"), names(list("?sort=mailbox")));
        assertEquals(List.of("10", "3", "1", "0"), all(list("?sort=mailbox"), "mailbox"));
        assertEquals("none", names(list("?sort=mailbox&order=asc")).getFirst());
        assertEquals("none", names(list("?sort=handled&order=desc")).getFirst());
        assertEquals("none", names(list("?sort=time")).getLast());
        assertEquals("none", names(list("?sort=state")).getLast());
        String busiest = list("?sort=time");
        assertEquals("RUNNING", one(busiest, "state"));
        assertEquals("java.lang.String", one(busiest, "message"));
        assertEquals("null", all(busiest, "time").getLast());
        end.countDown();
    }

    @Test
    void restartsAndStashedMessagesAreInIt() throws Exception {
        Actor<String> failing = system.actor("failing")
                .supervision(Supervision.restart())
                .newActorFrom(context -> text -> {
                    throw new IllegalStateException(text);
                });
        Actor<String> stashing = system.actor("stashing").newActorFrom(context -> text -> context.stash());
        sink("none");
        failing.tell("a");
        failing.tell("b");
        List.of("a", "b", "c").forEach(stashing::tell);
        await().until(() -> one(list("?sort=restarts"), "restarts").equals("2"));
        assertEquals("failing", one(list("?sort=restarts"), "name"));
        await().until(() -> one(list("?sort=stashed"), "stashed").equals("3"));
        assertEquals("stashing", one(list("?sort=stashed"), "name"));
        assertEquals("0", one(list("?sort=stashed&order=asc"), "stashed"));
    }

    @Test
    void itIsSearchedByNameAndClass() throws Exception {
        sink("Orders of the shop");
        sink("billing");
        kept.add(system.actor("by its class").newActor(new Warehouse()));
        assertEquals(List.of("Orders of the shop"), names(list("?search=oRDERs+of")));
        assertEquals(List.of("by its class"), names(list("?search=wareHOUSE")));
        assertEquals("1", one(list("?search=billing"), "all"));
        assertEquals("0", one(list("?search=nothing"), "all"));
        assertEquals("null", one(list("?search=nothing"), "start"));
        assertEquals("3", one(list("?search="), "all"));
    }

    /** A generated name is {@code actor-} and the id. */
    @Test
    void generatedNamesAreFound() throws Exception {
        kept.add(system.actor().newActor(text -> {}));
        sink("billing");
        String id = one(list("?sort=name"), "id");
        for (String part : List.of("actor-" + id, "OR-" + id, id, id.substring(1), "-", "actor-")) {
            assertEquals(List.of("actor-" + id), names(list("?search=" + part)), part);
        }
        assertEquals("0", one(list("?search=" + id + "-"), "all"));
    }

    private static final class Warehouse implements io.fibry.ThrowingConsumer<String> {
        @Override
        public void accept(String text) {}
    }

    @Test
    void theChildrenOfOneActorAreAList() throws Exception {
        Actor<String> parent = sink("parent");
        for (int i = 0; i < 30; i++) {
            system.actor("child " + i).childOf(parent).newActor(text -> {});
        }
        sink("another");
        assertEquals("32", one(list(""), "all"));
        String id = one(list("?search=parent"), "id");
        String children = list("?sort=name&parent=" + id);
        assertEquals("30", one(children, "all"));
        assertEquals("parent", one(children, "parent"));
        assertEquals("child 0", names(children).getFirst());
        assertEquals("0", one(list("?parent=0"), "all"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "?sort=size|sort must be one of name, behavior, state, mailbox, rate, handled, time, restarts, stashed",
                "?order=up|order must be asc or desc, not \"up\".",
                "?size=0|size must be a number from 1 to 200, not \"0\".",
                "?size=201|size must be a number from 1 to 200",
                "?size=many|size must be a number from 1 to 200",
                "?size=4294967295|size must be a number from 1 to 200",
                "?at=middle|at must be start or end",
                "?after=1|after must be a position of another page with the same sort",
                "?after=x.1|after must be a position",
                "?before=1.x|before must be a position",
                "?sort=name&after=!.1|after must be a position",
                "?after=1.1&before=1.1|A request has only one of after, before and at.",
                "?at=end&before=1.1|A request has only one of after, before and at.",
                "?parent=zz|parent must be the id of an actor",
                "?page=2|A parameter must be one of after, at, before, order, parent, search, size, sort, not"
                        + " \"page\".",
                "?sort=name&sort=time|sort is in the query more than once. Give it once.",
                "?search=%ff|The query is not valid. Encode it as UTF-8",
            })
    void aBadParameterIsExplained(String query, String text) throws Exception {
        HttpResponse<String> answer = send(query);
        assertEquals(400, answer.statusCode());
        assertTrue(answer.body().contains(text), answer.body());
        assertTrue(answer.headers().firstValue("Content-Type").orElseThrow().startsWith("text/plain"));
        assertTrue(answer.headers().firstValue("Content-Security-Policy").isPresent());
    }

    @Test
    void aSearchHasALimit() throws Exception {
        assertEquals(200, send("?search=" + "x".repeat(200)).statusCode());
        HttpResponse<String> answer = send("?search=" + "x".repeat(201));
        assertEquals(400, answer.statusCode());
        assertTrue(answer.body().contains("at most 200 characters, not 201"), answer.body());
    }

    /** A text that could be HTML, a lone surrogate, which has no encoding, and a text longer than a position. */
    @ParameterizedTest
    @ValueSource(strings = {"</script><b onclick=\"x\">", "\ud800\n", "x\ud83d\ude00", "\u202e"})
    void hostileNamesAreEscapedAndPagesContinueBehindThem(String name) throws Exception {
        String longName = "y".repeat(Position.LONGEST_TEXT - 1 - name.length()) + name + "\ud83d\ude00".repeat(300);
        for (String each : List.of(name, longName, longName + "2", longName + "3", "z")) {
            sink(each);
        }
        var found = new ArrayList<String>();
        String page = list("?size=1&sort=name");
        while (!names(page).isEmpty()) {
            assertTrue(page.chars().allMatch(c -> c >= ' ' && c <= '~' && c != '<' && c != '>'), page);
            found.addAll(all(page, "id"));
            page = list("?size=1&sort=name&after=" + one(page, "end"));
        }
        assertEquals(5, new HashSet<>(found).size());
        assertEquals(5, found.size());
        String text = "?search=" + URLEncoder.encode(name.strip(), StandardCharsets.UTF_8);
        assertEquals(name.contains("\ud800\n") ? "0" : "4", one(list(text), "all"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/list", "/list.js", "/overview.js", "/incidents.js", "/actor.js", "/live.js"})
    void theFilesOfThePagesHaveThePolicy(String path) throws Exception {
        HttpResponse<String> answer = get(path);
        assertEquals(200, answer.statusCode());
        String policy = answer.headers().firstValue("Content-Security-Policy").orElseThrow();
        assertTrue(policy.startsWith("default-src 'none'; script-src 'self';"), policy);
        assertFalse(answer.body().contains("innerHTML"));
        assertFalse(answer.body().matches("(?s).*(src|href)=\"(https?:)?//.*"), "nothing comes from elsewhere");
    }

    @Test
    void thePageDoesNotListItself() throws Exception {
        assertEquals("0", one(list(""), "all"));
        sink("only");
        assertEquals(List.of("only"), names(list("")));
    }

    @Test
    void itIsForKnownHostsOnly() throws Exception {
        sink("secret");
        try (var raw = new Client(server.port())) {
            String answer = raw.send("GET /list.json HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
                    .receiveAll();
            assertTrue(answer.startsWith("HTTP/1.1 421"), answer);
            assertFalse(answer.contains("secret"), answer);
        }
    }
}
