//go:build js && wasm

package annex

import (
	"syscall/js"

	"batchlab/ui/annex"
	"batchlab/ui/view/intake"
	"batchlab/ui/view/lesson"
	"batchlab/ui/view/myjob"
	"batchlab/ui/view/truth"
	"batchlab/ui/view/whatif"
	"batchlab/ui/words"
	"batchlab/wasm/host"
	"batchlab/wasm/pool"
)

// makers are the views by their keys in annex.Rooms.
var makers = map[string]annex.Maker{
	"import": intake.New,
	"truth":  truth.New,
	"job":    myjob.New,
	"whatif": whatif.New,
}

// Main shows what the page wishes until that is closed.
func Main() {
	words.SetSeparators(words.Separators())
	boot := js.Global().Get("batchlabBoot")
	views := annex.NewViews(makers)
	var lectures *lesson.Lectures
	boot.Set("show", js.FuncOf(func(_ js.Value, args []js.Value) any {
		wish := args[0]
		if wish.Get("key").String() != lesson.Room.Key {
			views.Show(wish)
			return nil
		}
		if lectures == nil {
			lectures = lesson.NewLectures(pool.New(host.New(boot), 1))
		}
		lectures.Show(wish)
		return nil
	}))
	select {}
}
