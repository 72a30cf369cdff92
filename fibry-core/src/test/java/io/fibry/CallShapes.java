package io.fibry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The ways to make actors that the Javadoc shows, compiled, and used by a test. */
final class CallShapes {

    private final ActorSystem system;

    CallShapes(ActorSystem system) {
        this.system = system;
    }

    record Plain(Actor<String> printer, Actor<Path> cleaner, Actor<String> log) {}

    Plain plain(List<String> lines) {
        // @start region="plain"
        Actor<String> printer = system.actor().newActor(System.out::println);
        Actor<Path> cleaner = system.actor().newActor(Files::delete); // a behavior may throw checked exceptions
        var log = system.actor().newActor((String line) -> lines.add(line)); // var needs the type in the lambda
        // @end
        return new Plain(printer, cleaner, log);
    }

    record PlainWithReturn(
            ReplyActor<String, Integer> numbers, ReplyActor<Path, Long> sizes, ReplyActor<Integer, Integer> squares) {}

    PlainWithReturn plainWithReturn() {
        // @start region="plainWithReturn"
        ReplyActor<String, Integer> numbers = system.actor().newActorWithReturn(Integer::parseInt);
        ReplyActor<Path, Long> sizes = system.actor().newActorWithReturn(Files::size);
        var squares = system.actor().newActorWithReturn((Integer n) -> n * n);
        // @end
        return new PlainWithReturn(numbers, sizes, squares);
    }

    record Factories(Actor<String> once, Actor<String> first, Actor<Path> second, Actor<String> third) {}

    Factories factory(List<String> lines) {
        // @start region="factory"
        Actor<String> once = system.actor().newActorFrom(context -> line -> {
            lines.add(line);
            context.self().stop();
        });
        var first = system.actor().<String>newActorFrom(context -> line -> lines.add(line));
        var second = system.actor().newActorFrom((ActorContext<Path> context) -> (Path file) -> Files.delete(file));
        var third = system.actor().newActorFrom(Echo::new); // class Echo implements ThrowingConsumer<String>
        // @end
        return new Factories(once, first, second, third);
    }

    /** A behavior that is a class; its constructor is the factory. */
    static final class Echo implements ThrowingConsumer<String> {
        private final ActorContext<String> context;

        Echo(ActorContext<String> context) {
            this.context = context;
        }

        @Override
        public void accept(String line) throws IOException {
            if (line.isEmpty()) {
                throw new IOException("no line");
            }
            context.self().tell(line.substring(1));
        }
    }

    record FactoriesWithReturn(ReplyActor<String, Integer> counts, ReplyActor<Integer, Integer> sums) {}

    FactoriesWithReturn factoryWithReturn() {
        // @start region="factoryWithReturn"
        ReplyActor<String, Integer> counts = system.actor().newActorWithReturnFrom(context -> {
            Map<String, Integer> seen = new HashMap<>(); // fresh after each restart
            return word -> seen.merge(word, 1, Integer::sum);
        });
        var sums = system.actor().<Integer, Integer>newActorWithReturnFrom(context -> {
            int[] sum = {0};
            return n -> sum[0] += n;
        });
        // @end
        return new FactoriesWithReturn(counts, sums);
    }
}
