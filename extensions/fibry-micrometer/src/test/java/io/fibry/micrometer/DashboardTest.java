package io.fibry.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The structure of the dashboard: Grafana itself is not part of Debian. Seen to fail: with a repeated id, a fixed data
 * source, an overlap, and a misspelled variable.
 */
class DashboardTest {

    private static final int COLUMNS = 24;

    private final Dashboard dashboard = Dashboard.read();

    private List<JsonNode> graphs() {
        return dashboard.panels().stream()
                .filter(panel -> !panel.get("type").asText().equals("row"))
                .toList();
    }

    @Test
    void itHasAVersionOfTheSchemaAndATitle() {
        assertEquals(39, dashboard.json().get("schemaVersion").asInt());
        assertEquals("Fibry actors", dashboard.json().get("title").asText());
        assertEquals("fibry-actors", dashboard.json().get("uid").asText());
        assertFalse(dashboard.json().has("id"), "Grafana assigns it");
    }

    @Test
    void theDataSourceIsAVariable() {
        JsonNode first = dashboard.variables().getFirst();
        assertEquals("datasource", first.get("name").asText());
        assertEquals("datasource", first.get("type").asText());
        assertEquals("prometheus", first.get("query").asText());
        List<JsonNode> sources = dashboard.json().findValues("datasource");
        assertFalse(sources.isEmpty());
        for (JsonNode source : sources) {
            assertEquals("${datasource}", source.get("uid").asText());
        }
        for (JsonNode graph : graphs()) {
            assertTrue(graph.has("datasource"), graph::toString);
            graph.get("targets").forEach(target -> assertTrue(target.has("datasource"), target::toString));
        }
    }

    @Test
    void eachPanelHasItsOwnIdAndEachGraphADescriptionAndQueries() {
        Set<Integer> ids = new HashSet<>();
        Set<String> titles = new HashSet<>();
        for (JsonNode panel : dashboard.panels()) {
            assertTrue(ids.add(panel.get("id").asInt()), panel::toString);
            assertTrue(titles.add(panel.get("title").asText()), panel::toString);
        }
        assertTrue(graphs().size() >= 20, "graphs");
        for (JsonNode graph : graphs()) {
            assertTrue(graph.get("description").asText().endsWith("."), graph::toString);
            assertFalse(graph.at("/fieldConfig/defaults/unit").asText().isEmpty(), graph::toString);
            Set<String> refs = new HashSet<>();
            for (JsonNode target : graph.get("targets")) {
                assertTrue(refs.add(target.get("refId").asText()), graph::toString);
            }
            assertFalse(refs.isEmpty(), graph::toString);
        }
    }

    @Test
    void panelsDoNotOverlap() {
        Set<String> cells = new HashSet<>();
        for (JsonNode panel : dashboard.panels()) {
            JsonNode at = panel.get("gridPos");
            int right = at.get("x").asInt() + at.get("w").asInt();
            assertTrue(right <= COLUMNS, panel::toString);
            for (int x = at.get("x").asInt(); x < right; x++) {
                for (int y = 0; y < at.get("h").asInt(); y++) {
                    assertTrue(cells.add(x + " " + (at.get("y").asInt() + y)), panel::toString);
                }
            }
        }
    }

    @Test
    void queriesUseTheVariables() {
        List<String> names = dashboard.variables().stream()
                .map(variable -> variable.get("name").asText())
                .toList();
        assertEquals(List.of("datasource", "system", "actor"), names);
        Pattern.compile("\\$([a-z]\\w*)")
                .matcher(dashboard.json().toString())
                .results()
                .forEach(match -> {
                    assertTrue(names.contains(match.group(1)), match::group);
                });
        for (String expression : dashboard.expressions()) {
            if (expression.contains("http_server_requests")) {
                continue; // Spring's timer has no tag with the system
            }
            assertTrue(expression.contains("system=~\"$system\""), expression);
            boolean isOfActors = expression.contains("fibry_actor_") || expression.contains("_seconds_bucket");
            assertEquals(isOfActors, expression.contains("actor=~\"$actor\""), expression);
        }
        for (String query : dashboard.queries("5m")) {
            assertFalse(query.contains("$"), query);
        }
    }
}
