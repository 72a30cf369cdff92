package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;
import java.util.SplittableRandom;

/**
 * Unbalanced cobwebbed tree: nodes ask the root whether they may have children, until the tree has its size. A query
 * then goes down to all leaves, and the number of nodes is returned.
 */
public record CobwebbedTree(int nodes) implements Workload {

    private static final int MOST_CHILDREN = 10;
    private static final int BUSY = 100;

    private record MayGrow(Object node) {}

    private record Grow(int children) {}

    private record Count(Object parent) {}

    private record Counted(int nodes) {}

    @Override
    public Object expected() {
        return nodes;
    }

    @Override
    public SavinaActor main() {
        return new Root(nodes);
    }

    private static final class Root extends SavinaActor {
        private final SplittableRandom random = new SplittableRandom(1);
        private int left;
        private int undecided;
        private Object top = STOP;

        Root(int nodes) {
            left = nodes;
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof MayGrow asks) {
                int wish = undecided == 1 ? MOST_CHILDREN : random.nextInt(MOST_CHILDREN + 1); // never dies out
                int children = Math.min(left, wish);
                left -= children;
                undecided += children - 1;
                tell(asks.node(), new Grow(children));
                if (undecided == 0) {
                    tell(top, new Count(self()));
                }
            } else if (message instanceof Counted counted) {
                finish(counted.nodes());
                stop();
            } else {
                top = spawn(new Node(0, self()));
                left--;
                undecided++;
                tell(top, START);
            }
        }
    }

    private static final class Node extends SavinaActor {
        private final SplittableRandom random;
        private final Object root;
        private Object[] children = {};
        private Object parent = STOP;
        private int answers;
        private int sum = 1;

        Node(int seed, Object root) {
            random = new SplittableRandom(seed);
            this.root = root;
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof Grow grow) {
                children = new Object[grow.children()];
                for (int i = 0; i < children.length; i++) {
                    children[i] = spawn(new Node(random.nextInt(), root));
                    tell(children[i], START);
                }
            } else if (message instanceof Count count) {
                parent = count.parent();
                var pass = new Count(self());
                for (Object child : children) {
                    tell(child, pass);
                }
                answerIfKnown();
            } else if (message instanceof Counted counted) {
                answers++;
                sum += counted.nodes();
                answerIfKnown();
            } else if (Busy.work(random, random.nextInt(BUSY)) > 0) {
                tell(root, new MayGrow(self()));
            }
        }

        private void answerIfKnown() {
            if (answers == children.length) {
                tell(parent, new Counted(sum));
                stop();
            }
        }
    }
}
