package io.fibry.bench.savina;

import io.fibry.bench.savina.workloads.AStar;
import io.fibry.bench.savina.workloads.BankTransaction;
import io.fibry.bench.savina.workloads.Big;
import io.fibry.bench.savina.workloads.BoundedBuffer;
import io.fibry.bench.savina.workloads.Chameneos;
import io.fibry.bench.savina.workloads.CigaretteSmokers;
import io.fibry.bench.savina.workloads.CobwebbedTree;
import io.fibry.bench.savina.workloads.ConcurrentDictionary;
import io.fibry.bench.savina.workloads.ConcurrentSortedList;
import io.fibry.bench.savina.workloads.Counting;
import io.fibry.bench.savina.workloads.DiningPhilosophers;
import io.fibry.bench.savina.workloads.FacilityLocation;
import io.fibry.bench.savina.workloads.FilterBank;
import io.fibry.bench.savina.workloads.ForkJoinCreate;
import io.fibry.bench.savina.workloads.ForkJoinThroughput;
import io.fibry.bench.savina.workloads.LogisticMap;
import io.fibry.bench.savina.workloads.MatrixMultiplication;
import io.fibry.bench.savina.workloads.OverRelaxation;
import io.fibry.bench.savina.workloads.PingPong;
import io.fibry.bench.savina.workloads.PrecisePi;
import io.fibry.bench.savina.workloads.Queens;
import io.fibry.bench.savina.workloads.QuickSort;
import io.fibry.bench.savina.workloads.RadixSort;
import io.fibry.bench.savina.workloads.ShortestPaths;
import io.fibry.bench.savina.workloads.Sieve;
import io.fibry.bench.savina.workloads.SleepingBarber;
import io.fibry.bench.savina.workloads.ThreadRing;
import io.fibry.bench.savina.workloads.Trapezoid;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The workloads of the suite, in its order: micro-benchmarks, classic problems of concurrency, parallel programs.
 *
 * @param name the name in the suite; two workloads exist with and without a stash
 * @param title the display name
 * @param fullSize the size to measure: an iteration takes between 50 and 500 ms on two cores
 * @param smallSize the size for a test
 * @param sized creates the workload
 */
public record Savina(String name, String title, int fullSize, int smallSize, IntFunction<Workload> sized) {

    /** All workloads. */
    public static final List<Savina> ALL = List.of(
            new Savina("pingpong", "ping-pong", 400_000, 500, PingPong::new),
            new Savina("count", "counting actor", 3_000_000, 1_000, Counting::new),
            new Savina("fjcreate", "fork-join, creation", 100_000, 200, ForkJoinCreate::new),
            new Savina("fjthrput", "fork-join, throughput", 30_000, 50, ForkJoinThroughput::new),
            new Savina("threadring", "thread ring", 1_000_000, 1_234, ThreadRing::new),
            new Savina("chameneos", "chameneos", 300_000, 500, Chameneos::new),
            new Savina("big", "big", 5_000, 20, Big::new),
            new Savina("concdict", "concurrent dictionary", 20_000, 50, ConcurrentDictionary::new),
            new Savina("concsll", "concurrent sorted list", 2_000, 50, ConcurrentSortedList::new),
            new Savina("bndbuffer", "bounded buffer", 5_000, 20, BoundedBuffer::new),
            new Savina("philosopher", "dining philosophers", 20_000, 50, DiningPhilosophers::new),
            new Savina("barber", "sleeping barber", 5_000, 100, SleepingBarber::new),
            new Savina("cigsmok", "cigarette smokers", 50_000, 100, CigaretteSmokers::new),
            new Savina("logmap", "logistic map", 1_000, 10, size -> new LogisticMap(size, false)),
            new Savina("logmap-stash", "logistic map, stash", 1_000, 10, size -> new LogisticMap(size, true)),
            new Savina("banking", "bank transaction", 50_000, 500, size -> new BankTransaction(size, false)),
            new Savina(
                    "banking-stash", "bank transaction, stash", 50_000, 500, size -> new BankTransaction(size, true)),
            new Savina("radixsort", "radix sort", 40_000, 100, RadixSort::new),
            new Savina("filterbank", "filter bank", 10_000, 50, FilterBank::new),
            new Savina("sieve", "sieve of Eratosthenes", 100_000, 20_000, Sieve::new),
            new Savina("uct", "unbalanced cobwebbed tree", 20_000, 300, CobwebbedTree::new),
            new Savina("facloc", "online facility location", 30_000, 2_000, FacilityLocation::new),
            new Savina("trapezoid", "trapezoidal approximation", 2_000_000, 1_000, Trapezoid::new),
            new Savina("piprecision", "precise computation of pi", 2_000, 100, PrecisePi::new),
            new Savina("recmatmul", "recursive matrix multiplication", 512, 128, MatrixMultiplication::new),
            new Savina("quicksort", "quick sort", 500_000, 5_000, QuickSort::new),
            new Savina("apsp", "all-pairs shortest path", 400, 100, ShortestPaths::new),
            new Savina("sor", "successive over-relaxation", 100, 3, OverRelaxation::new),
            new Savina("astar", "A* search", 60, 12, AStar::new),
            new Savina("nqueenk", "n queens", 12, 6, Queens::new));

    /** Returns the workload with this name. */
    public static Savina of(String name) {
        return ALL.stream()
                .filter(savina -> savina.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no workload is called " + name));
    }

    /** Returns the workload in the measured size. */
    public Workload full() {
        return sized.apply(fullSize);
    }

    /** Returns the workload in the size for a test. */
    public Workload small() {
        return sized.apply(smallSize);
    }
}
