//go:build js && wasm

// Package lecture is the lecturers' half of the second program: the pages on which
// lessons are written, handed out and marked, over a worker of their own.
package lecture

import (
	"syscall/js"

	"batchlab/ui/view/lesson"
	"batchlab/ui/words"
	"batchlab/wasm/host"
	"batchlab/wasm/pool"
)

// Main shows what the page wishes until that is closed.
func Main() {
	words.SetSeparators(words.Separators())
	boot := js.Global().Get("batchlabBoot")
	lectures := lesson.NewLectures(pool.New(host.New(boot), 1))
	boot.Set("lectures", js.FuncOf(func(_ js.Value, args []js.Value) any {
		lectures.Show(args[0])
		return nil
	}))
	select {}
}
