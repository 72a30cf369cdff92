package io.fibry.test;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Follows a path of choices, and takes the first alternative after its end. Repeated calls of {@link #next} enumerate
 * all schedules of a program, depth first.
 */
final class PathChooser extends Chooser {

    private final List<Integer> path;
    private final List<Integer> alternatives = new ArrayList<>();
    private int position;

    PathChooser(List<Integer> path) {
        this.path = new ArrayList<>(path);
    }

    static PathChooser first() {
        return new PathChooser(List.of());
    }

    /** Parses a path from {@link #replay}. */
    static PathChooser parse(String path) {
        List<Integer> choices = new ArrayList<>();
        for (String each : path.split("\\.", -1)) {
            try {
                choices.add(each.isEmpty() ? 0 : Integer.parseInt(each));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "a schedule is a list of numbers, such as \"1..2\", and not \"" + path + "\"", e);
            }
        }
        return new PathChooser(choices);
    }

    private int choose(int among) {
        if (position == path.size()) {
            path.add(0);
        }
        int choice = path.get(position++);
        if (choice >= among) {
            throw new IllegalArgumentException("the schedule does not fit the program: choice number " + position
                    + " is " + choice + ", and there are " + among + " alternatives");
        }
        alternatives.add(among);
        return choice;
    }

    @Override
    int choose(List<Strand> strands, @Nullable Strand current, boolean mayPass, Strand clock) {
        return choose(strands.size() + (mayPass ? 1 : 0));
    }

    @Override
    int draw(int bound) {
        return choose(bound);
    }

    /**
     * Returns the next schedule after a run, which has the longest common prefix with it, or null after the last
     * schedule.
     */
    @Nullable
    PathChooser next() {
        List<Integer> made = path.subList(0, position);
        for (int i = position - 1; i >= 0; i--) {
            if (made.get(i) + 1 < alternatives.get(i)) {
                List<Integer> following = new ArrayList<>(made.subList(0, i));
                following.add(made.get(i) + 1);
                return new PathChooser(following);
            }
        }
        return null;
    }

    @Override
    Chooser again() {
        return new PathChooser(path.subList(0, position));
    }

    /** Omits trailing choices of 0, and encodes any other choice of 0 as an empty text. */
    @Override
    String replay() {
        int end = position;
        while (end > 0 && path.get(end - 1) == 0) {
            end--;
        }
        return "schedule = \""
                + path.subList(0, end).stream()
                        .map(i -> i == 0 ? "" : i.toString())
                        .collect(Collectors.joining("."))
                + "\"";
    }
}
