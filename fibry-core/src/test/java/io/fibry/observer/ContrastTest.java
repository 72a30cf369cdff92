package io.fibry.observer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The contrast of texts, computed from the style sheet as the Web Content Accessibility Guidelines define it. The test
 * in the browser checks the texts of a page, and this one also those that rarely appear.
 *
 * <p>Seen to fail: the former color of the headings of alerts, whose contrast in light mode was 4.3.
 */
class ContrastTest {

    private static final double LEAST = 4.5;
    private static final Pattern VARIABLE = Pattern.compile("--([a-z-]+): (#[0-9a-f]{6})");
    private static final String CSS = css();

    /** The part of a color in the mixes of chips, and the backgrounds of a list's sorted column. */
    private static final double CHIP_TEXT = 0.35;

    private static final double CHIP_BACK = 0.17;
    private static final double SORTED_BACK = 0.06;

    private static final List<String> TONES = List.of("idle", "ready", "work", "waiting", "paused", "stopping");

    enum Mode {
        LIGHT,
        DARK
    }

    /** The components, from 0 to 1. */
    private record Color(double red, double green, double blue) {

        static Color of(String hex) {
            int rgb = Integer.parseInt(hex.substring(1), 16);
            return new Color((rgb >> 16) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0);
        }

        /** As {@code color-mix(in srgb, this part, other)}. */
        Color mix(double part, Color other) {
            return new Color(
                    part * red + (1 - part) * other.red,
                    part * green + (1 - part) * other.green,
                    part * blue + (1 - part) * other.blue);
        }

        private double luminance() {
            return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
        }

        private static double linear(double component) {
            return component <= 0.04045 ? component / 12.92 : Math.pow((component + 0.055) / 1.055, 2.4);
        }

        double contrast(Color other) {
            double a = luminance() + 0.05;
            double b = other.luminance() + 0.05;
            return Math.max(a, b) / Math.min(a, b);
        }
    }

    private static String css() {
        try (InputStream in = Objects.requireNonNull(ContrastTest.class.getResourceAsStream("observer.css"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The dark mode replaces some of the variables. */
    private static Map<String, Color> colors(Mode mode) {
        String[] blocks = CSS.split(":root \\{", -1);
        var colors = new TreeMap<String, Color>();
        for (int i = 1; i <= (mode == Mode.LIGHT ? 1 : 2); i++) {
            String block = blocks[i].substring(0, blocks[i].indexOf('}'));
            VARIABLE.matcher(block)
                    .results()
                    .forEach(variable -> colors.put(variable.group(1), Color.of(variable.group(2))));
        }
        return colors;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void allTextsAreReadable(Mode mode) {
        Map<String, Color> colors = colors(mode);
        var bad = new TreeSet<String>();
        for (String text : List.of("text", "muted", "link", "danger")) {
            for (String back : List.of("panel", "back", "soft")) {
                check(bad, text + " on " + back, colors.get(text), colors.get(back));
            }
        }
        Color panel = colors.get("panel");
        Color sorted = colors.get("accent").mix(SORTED_BACK, panel);
        for (String text : List.of("text", "muted", "link")) {
            check(bad, text + " on amber-back", colors.get(text), colors.get("amber-back"));
            check(bad, text + " on a sorted column", colors.get(text), sorted);
        }
        check(bad, "amber on amber-back", colors.get("amber"), colors.get("amber-back"));
        check(bad, "danger on danger-back", colors.get("danger"), colors.get("danger-back"));
        check(bad, "on-alarm on alarm", colors.get("on-alarm"), colors.get("alarm"));
        for (String tone : TONES) {
            Color text = colors.get(tone).mix(CHIP_TEXT, colors.get("text"));
            check(bad, "chip " + tone, text, colors.get(tone).mix(CHIP_BACK, panel));
        }
        assertEquals(Set.of(), bad);
    }

    private static void check(Set<String> bad, String pair, Color text, Color back) {
        double contrast = text.contrast(back);
        if (contrast < LEAST) {
            bad.add("%s: %.2f".formatted(pair, contrast));
        }
    }

    /** A new color of a text has to be added to the pairs above. */
    @ParameterizedTest
    @EnumSource(Mode.class)
    void theTestKnowsAllColorsOfTexts(Mode mode) {
        var known = new TreeSet<>(Set.of(
                "inherit",
                "var(--text)",
                "var(--muted)",
                "var(--link)",
                "var(--danger)",
                "var(--amber)",
                "var(--on-alarm)",
                "color-mix(in srgb, var(--tone) 35%, var(--text))"));
        var used = new TreeSet<>(values("(?<![a-z-])color: ([^;}]+)"));
        assertEquals(known, used);
        var backs = new TreeSet<>(values("background: ([^;}]+)"));
        assertTrue(backs.contains("color-mix(in srgb, var(--tone) 17%, var(--panel))"), backs::toString);
        assertTrue(backs.contains("color-mix(in srgb, var(--accent) 6%, var(--panel))"), backs::toString);
        assertTrue(colors(mode).keySet().containsAll(TONES));
        backs.removeIf(back ->
                back.startsWith("color-mix(") || Set.of("none", "var(--tone)").contains(back));
        backs.removeAll(Set.of("var(--accent)", "var(--work)", "var(--waiting)", "var(--idle)", "var(--stopping)"));
        backs.remove("var(--paused)"); // as the ones above, of marks without a text
        assertEquals(
                Set.of(
                        "var(--alarm)",
                        "var(--amber-back)",
                        "var(--back)",
                        "var(--danger-back)",
                        "var(--panel)",
                        "var(--soft)"),
                backs);
    }

    private static List<String> values(String declaration) {
        return Pattern.compile(declaration)
                .matcher(CSS)
                .results()
                .map((MatchResult found) -> found.group(1).strip())
                .toList();
    }
}
