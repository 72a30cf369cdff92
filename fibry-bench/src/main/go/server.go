// The servers in Go that fibry-bench loads beside its own: the same answers, on a free port that the program prints.
package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	if strings.HasPrefix(os.Args[1], "HTTP") {
		http.HandleFunc("/", func(answer http.ResponseWriter, _ *http.Request) {
			io.WriteString(answer, "Hello World!")
		})
		log.Fatal(http.Serve(listener, nil))
	}
	keeps := strings.HasPrefix(os.Args[1], "TCP_KEPT")
	for {
		connection, err := listener.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go hello(connection, keeps)
	}
}

// Answers one request, or, if connections are kept, each one until the client closes the connection.
func hello(connection net.Conn, keeps bool) {
	defer connection.Close()
	reader := bufio.NewReader(connection)
	for {
		line, err := reader.ReadSlice('\n')
		if err != nil {
			return
		}
		if string(line) != "\r\n" {
			continue
		}
		if !keeps {
			io.WriteString(connection, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!")
			return
		}
		io.WriteString(connection, "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: keep-alive\r\n\r\nHello!")
	}
}
