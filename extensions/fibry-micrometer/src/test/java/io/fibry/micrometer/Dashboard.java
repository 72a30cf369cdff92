package io.fibry.micrometer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The dashboard for Grafana in the jar. */
record Dashboard(JsonNode json) {

    static Dashboard read() {
        try (InputStream in = FibryMetrics.class.getResourceAsStream("/META-INF/fibry/fibry-dashboard.json")) {
            return new Dashboard(new ObjectMapper().readTree(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<JsonNode> panels() {
        List<JsonNode> panels = new ArrayList<>();
        json.get("panels").forEach(panels::add);
        return panels;
    }

    List<JsonNode> variables() {
        List<JsonNode> variables = new ArrayList<>();
        json.get("templating").get("list").forEach(variables::add);
        return variables;
    }

    /** The expressions of the panels, with the variables of Grafana. */
    List<String> expressions() {
        return panels().stream()
                .flatMap(panel -> panel.findValues("targets").stream())
                .flatMap(targets -> targets.findValuesAsText("expr").stream())
                .toList();
    }

    /** The queries that Grafana sends with all systems and actors selected. */
    List<String> queries(String rateInterval) {
        return expressions().stream()
                .map(expression -> expression
                        .replace("$__rate_interval", rateInterval)
                        .replace("$system", ".*")
                        .replace("$actor", ".*"))
                .toList();
    }
}
