// calls.go: 400 calls from goroutines with a thread each; some threads end with their goroutine.
// SPDX-License-Identifier: MIT
package main

// void hundred(void);
import "C"
import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	var all sync.WaitGroup
	for i := 0; i < 4; i++ {
		all.Add(1)
		go func(ends bool) {
			defer all.Done()
			runtime.LockOSThread()
			C.hundred()
			if !ends {
				runtime.UnlockOSThread()
			}
		}(i%2 == 0)
	}
	all.Wait()
	fmt.Println("400 calls")
}
