package io.fibry.bench.savina.workloads;

import io.fibry.bench.savina.SavinaActor;
import io.fibry.bench.savina.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Online facility location: customers arrive one by one, and descend a tree of quadrants to the nearest known facility
 * of a leaf. When the total distance of the customers of a leaf exceeds a limit, the leaf opens a facility, notifies
 * the tree, and is split.
 */
public record FacilityLocation(int customers) implements Workload {

    private static final double SIDE = 500;
    private static final double OPENING = SIDE * 14;

    private record Point(double x, double y) {
        double distance(Point other) {
            return Math.hypot(x - other.x, y - other.y);
        }
    }

    private record Customer(Point at) {}

    private record Facility(Point at, Object except) {}

    private record Opened(Point at, Object quadrant) {}

    private record Closed(int customers) {}

    private static final Object CLOSE = new Object();

    private static final Object NEXT = new Object();
    private static final Object EXIT = new Object();

    @Override
    public Object expected() {
        return customers;
    }

    @Override
    public SavinaActor main() {
        return new Producer(customers);
    }

    private static final class Producer extends SavinaActor {
        private final SplittableRandom random = new SplittableRandom(1);
        private int left;
        private Object root = STOP;

        Producer(int customers) {
            left = customers;
        }

        @Override
        protected void receive(Object message) {
            if (message == START) {
                var middle = new Point(SIDE / 2, SIDE / 2);
                root = spawn(new Quadrant(self(), true, middle, SIDE / 2, List.of(middle)));
            }
            if (message instanceof Closed closed) {
                tell(root, EXIT);
                finish(closed.customers());
                stop();
            } else if (left-- > 0) {
                tell(root, new Customer(new Point(random.nextDouble(SIDE), random.nextDouble(SIDE))));
            } else {
                tell(root, CLOSE);
            }
        }
    }

    private static final class Quadrant extends SavinaActor {
        private final Object parent;
        private final boolean isRoot;
        private final Point middle;
        private final double half;
        private final List<Point> facilities;
        private List<Point> customers = new ArrayList<>();
        private double cost;
        private Object[] children = {};
        private int answers;
        private int sum;

        Quadrant(Object parent, boolean isRoot, Point middle, double half, List<Point> facilities) {
            this.parent = parent;
            this.isRoot = isRoot;
            this.middle = middle;
            this.half = half;
            this.facilities = new ArrayList<>(facilities);
        }

        @Override
        protected void receive(Object message) {
            if (message instanceof Customer customer) {
                if (isRoot) {
                    tell(parent, NEXT);
                }
                customer(customer);
            } else if (message instanceof Opened opened) {
                pass(new Facility(opened.at(), opened.quadrant()));
                tellParent(opened.at());
            } else if (message instanceof Facility facility) {
                pass(facility);
            } else if (message instanceof Closed closed) {
                sum += closed.customers();
                answers++;
                answerIfKnown();
            } else {
                end(message);
            }
        }

        private void end(Object message) {
            for (Object child : children) {
                tell(child, message);
            }
            if (message == EXIT) { // after the answers: until then facilities may come from others
                stop();
            } else {
                answerIfKnown();
            }
        }

        private void customer(Customer customer) {
            Point at = customer.at();
            if (children.length > 0) {
                tell(children[(at.x() < middle.x() ? 0 : 1) + (at.y() < middle.y() ? 0 : 2)], customer);
                return;
            }
            customers.add(at);
            cost += facilities.stream().mapToDouble(at::distance).min().orElse(0);
            if (cost > OPENING) {
                split();
            }
        }

        private void split() {
            facilities.add(middle);
            tellParent(middle);
            double quarter = half / 2;
            children = new Object[4];
            for (int i = 0; i < 4; i++) {
                var at = new Point(
                        middle.x() + (i % 2 == 0 ? -quarter : quarter), middle.y() + (i < 2 ? -quarter : quarter));
                children[i] = spawn(new Quadrant(self(), false, at, quarter, facilities));
            }
            sum = customers.size(); // its customers have been served; later ones go to the children
            customers = List.of();
        }

        private void tellParent(Point at) {
            if (!isRoot) {
                tell(parent, new Opened(at, self()));
            }
        }

        /** A facility that another quadrant has opened. */
        private void pass(Facility facility) {
            facilities.add(facility.at());
            var further = new Facility(facility.at(), STOP);
            for (Object child : children) {
                if (!child.equals(facility.except())) {
                    tell(child, further);
                }
            }
        }

        private void answerIfKnown() {
            if (answers == children.length) {
                tell(parent, new Closed(sum + customers.size()));
            }
        }
    }
}
