// The shapes of the benchmarks with goroutines and channels. Each line of the input starts one run; its result is a line
// of the output. The arguments are the shape and its numbers.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"
)

func main() {
	run := shape(os.Args[1], os.Args[2:])
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		fmt.Println(run())
	}
}

// Returns the function of a shape, which returns the result of a run.
func shape(name string, arguments []string) func() int64 {
	numbers := make([]int, len(arguments))
	for i, argument := range arguments {
		number, err := strconv.Atoi(argument)
		if err != nil {
			log.Fatal(err)
		}
		numbers[i] = number
	}
	switch name {
	case "mapreduce":
		return func() int64 { return mapReduce(numbers[0], numbers[1]) }
	case "pipeline":
		return func() int64 { return pipeline(numbers[0], numbers[1], numbers[2]) }
	case "topic":
		return topic(numbers[0])
	case "sleepers":
		return sleepers(numbers[0], numbers[1])
	case "lives":
		return func() int64 { return lives(numbers[0], numbers[1]) }
	}
	log.Fatal("unknown shape " + name)
	return nil
}

// Computes for a while, like Blackhole.consumeCPU of JMH.
func compute(tokens int, seed int64) int64 {
	value := seed
	for i := tokens; i > 0; i-- {
		value += (value*0x5DEECE66D + 0xB + int64(i)) & 0xFFFFFFFFFFFF
	}
	return value
}

// One goroutine sends the items, as many map them as there are processors, and this one adds the values.
func mapReduce(items, tokens int) int64 {
	workers := runtime.GOMAXPROCS(0)
	inputs := make(chan int, 128*workers)
	values := make(chan int, 128*workers)
	go func() {
		for i := 0; i < items; i++ {
			inputs <- i
		}
		close(inputs)
	}()
	var running sync.WaitGroup
	for i := 0; i < workers; i++ {
		running.Add(1)
		go func() {
			defer running.Done()
			for n := range inputs {
				if compute(tokens, int64(n)) == 42 {
					n = 0 // never; the computation must not be removed
				}
				values <- n
			}
		}()
	}
	go func() {
		running.Wait()
		close(values)
	}()
	sum := int64(0)
	for n := range values {
		sum += int64(n)
	}
	return sum
}

// Each stage adds one to each item. Returns the sum of the items.
func pipeline(items, stages, room int) int64 {
	first := make(chan int, room)
	source := first
	for i := 1; i < stages; i++ {
		target := make(chan int, room)
		go func(source, target chan int) {
			for n := range source {
				target <- n + 1
			}
			close(target)
		}(source, target)
		source = target
	}
	go func() {
		for i := 0; i < items; i++ {
			first <- 0
		}
		close(first)
	}()
	sum := int64(0)
	for n := range source {
		sum += int64(n + 1)
	}
	return sum
}

// One goroutine sends a message to all subscribers. Returns the number of handled messages.
func topic(subscribers int) func() int64 {
	channels := make([]chan int, subscribers)
	var missing sync.WaitGroup
	for i := range channels {
		channel := make(chan int, 16)
		channels[i] = channel
		go func() {
			for range channel {
				missing.Done()
			}
		}()
	}
	return func() int64 {
		missing.Add(subscribers)
		go func() {
			for _, channel := range channels {
				channel <- 1
			}
		}()
		missing.Wait()
		return int64(subscribers)
	}
}

// Messages from four goroutines to 100, next to others that sleep for a second at a time.
func sleepers(sleeping, each int) func() int64 {
	const senders, counters = 4, 100
	for i := 0; i < sleeping; i++ {
		go func() {
			time.Sleep(time.Second * time.Duration(i+1) / time.Duration(sleeping))
			for {
				time.Sleep(time.Second)
			}
		}()
	}
	var done sync.WaitGroup
	channels := make([]chan int, counters)
	for i := range channels {
		channel := make(chan int, 1024)
		channels[i] = channel
		go func() {
			missing := senders * each
			for range channel {
				if missing--; missing == 0 {
					missing = senders * each
					done.Done()
				}
			}
		}()
	}
	return func() int64 {
		done.Add(counters)
		for i := 0; i < senders; i++ {
			go func() {
				for n := 0; n < each; n++ {
					for _, channel := range channels {
						channel <- 1
					}
				}
			}()
		}
		done.Wait()
		return senders * counters * int64(each)
	}
}

// Each client starts a goroutine, asks it once, and waits for its reply. Returns the sum of the replies.
func lives(clients, each int) int64 {
	sums := make(chan int64)
	for i := 0; i < clients; i++ {
		go func() {
			sum := int64(0)
			for n := 0; n < each; n++ {
				requests := make(chan int, 1)
				replies := make(chan int, 1)
				go func() { replies <- <-requests + 1 }()
				requests <- n
				sum += int64(<-replies)
			}
			sums <- sum
		}()
	}
	sum := int64(0)
	for i := 0; i < clients; i++ {
		sum += <-sums
	}
	return sum
}
