// Goroutines with a periodic timer each, measured like the actors of Ticks.java, with the same output.
package main

import (
	"fmt"
	"log"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// A bucket of the histogram has 10 microseconds; the last one has all longer latencies.
const bucket = 10 * time.Microsecond

var (
	buckets [200_001]atomic.Int64
	total   atomic.Int64
	longest atomic.Int64
)

func main() {
	seconds := number(os.Args[1])
	actors, period := 0, time.Duration(0)
	for _, argument := range os.Args[2:] {
		name, value, _ := strings.Cut(argument, "=")
		switch name {
		case "actors":
			actors = int(number(value))
		case "millis":
			period = time.Duration(number(value) * float64(time.Millisecond))
		default:
			log.Fatal("unknown parameter " + name)
		}
	}
	if actors < 1 || period < 1 {
		log.Fatal("The parameters actors and millis are required.")
	}
	before := memory()
	begin := time.Now()
	for i := 0; i < actors; i++ {
		time.Sleep(time.Until(begin.Add(2 * period * time.Duration(i) / time.Duration(actors))))
		go tick(period)
	}
	time.Sleep(time.Duration(min(seconds, 3)*float64(time.Second)) + period)
	measure(time.Duration(seconds*float64(time.Second)), actors, period)
	fmt.Printf("heap = %.3f B/op\n", float64(memory()-before)/float64(actors))
}

func number(text string) float64 {
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func tick(period time.Duration) {
	start := time.Now()
	for range time.NewTicker(period).C {
		late := time.Since(start) % period
		total.Add(int64(late))
		for max := longest.Load(); int64(late) > max && !longest.CompareAndSwap(max, int64(late)); max = longest.Load() {
		}
		buckets[min(int(late/bucket), len(buckets)-1)].Add(1) // last, so that no percentile exceeds the maximum
	}
}

func measure(span time.Duration, actors int, period time.Duration) {
	startCpu, start := cpu(), time.Now()
	total.Store(0)
	longest.Store(0)
	for i := range buckets {
		buckets[i].Store(0)
	}
	time.Sleep(span)
	elapsed := time.Since(start)
	used := cpu() - startCpu
	counts := make([]int64, len(buckets))
	count := int64(0)
	for i := range buckets {
		counts[i] = buckets[i].Load()
		count += counts[i]
	}
	sum, max := total.Load(), longest.Load()
	for _, percent := range []float64{50, 99, 99.9} {
		fmt.Printf("p%v = %.3f us/op\n", percent, percentile(counts, count, percent))
	}
	fmt.Printf("max = %.3f us/op\n", float64(max)/1e3)
	fmt.Printf("mean = %.3f us/op\n", float64(sum)/1e3/float64(count))
	fmt.Printf("ticks = %.3f %%\n", 100*float64(count)*period.Seconds()/float64(actors)/elapsed.Seconds())
	fmt.Printf("cores = %.3f #\n", used.Seconds()/elapsed.Seconds())
}

func percentile(counts []int64, count int64, percent float64) float64 {
	below := int64(0)
	for i, n := range counts {
		below += n
		if float64(below) >= float64(count)*percent/100 {
			return float64(time.Duration(i)*bucket) / 1e3
		}
	}
	return 0
}

func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		log.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// Returns the bytes of the reachable objects and of the stacks.
func memory() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc + stats.StackInuse)
}
