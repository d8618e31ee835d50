package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"runtime"
)

// episodes does many runs at once, whose schedulers are decided by whoever has started
// this program, over one line in each direction (docs/exec-protocol.md).
func episodes(c *call) action {
	c.intro = "Does runs for a program that takes part in many at once, in this one process: lines of standard input and output hold what is said in each of them, as docs/exec-protocol.md says."
	cores := c.whole("parallel", "N", 1, 1, 1024, "How many cores work at once; no result depends on it (default 1: mostly a run does less between two answers than it costs to wake another core).")
	return func([]string) (any, error) {
		runtime.GOMAXPROCS(int(*cores))
		return nil, seats{runs: map[string]*episode{}, stderr: c.stderr}.serve(c.stdin, c.stdout)
	}
}

// seats are where the runs sit, each under a name that the other side has given it.
type seats struct {
	runs   map[string]*episode
	stderr io.Writer
}

// episode is a run that stops whenever it waits for an answer.
type episode struct {
	in   chan []byte // answers; closed: it is given up
	left []byte      // of the last answer
	said bytes.Buffer
	out  chan said
}

// said are the lines of a run until it waits for an answer, or is over.
type said struct {
	lines []byte // with commas between them
	over  bool
}

// Write keeps what the run says.
func (e *episode) Write(b []byte) (int, error) { return e.said.Write(b) }

// Read hands over what the run has said, and waits for the answer.
func (e *episode) Read(b []byte) (int, error) {
	if len(e.left) == 0 {
		e.hand(false)
		answer, ok := <-e.in
		if !ok {
			return 0, io.EOF
		}
		e.left = append(answer, '\n')
	}
	n := copy(b, e.left)
	e.left = e.left[n:]
	return n, nil
}

func (e *episode) hand(over bool) {
	lines := bytes.TrimSuffix(e.said.Bytes(), []byte("\n"))
	e.said.Reset()
	e.out <- said{bytes.ReplaceAll(lines, []byte("\n"), []byte(",")), over} // a line holds no line feed
}

// serve answers lines until there are no more.
func (t seats) serve(stdin io.Reader, stdout io.Writer) error {
	defer func() {
		for name := range t.runs {
			t.giveUp(name)
		}
	}()
	in, answer := bufio.NewReaderSize(stdin, 1<<16), []byte(nil)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return nil
		}
		var asked map[string]json.RawMessage
		if err := json.Unmarshal(line, &asked); err != nil {
			return err
		}
		for name, message := range asked {
			if e := t.runs[name]; e == nil {
				t.begin(name, message)
			} else if string(message) == "null" {
				t.giveUp(name)
			} else {
				e.in <- message
			}
		}
		answer = append(answer[:0], '{')
		for name := range asked {
			e := t.runs[name]
			if e == nil {
				continue
			}
			heard := <-e.out
			if heard.over {
				delete(t.runs, name)
			}
			if len(answer) > 1 {
				answer = append(answer, ',')
			}
			key, _ := json.Marshal(name) // any text can be written
			answer = append(append(append(append(answer, key...), ":["...), heard.lines...), ']')
		}
		if _, err := stdout.Write(append(answer, "}\n"...)); err != nil {
			return status(1)
		}
	}
}

// begin starts a run: {"run": [what stands behind batchlab run]}. What is no such
// message is a run that says so.
func (t seats) begin(name string, message json.RawMessage) {
	var what struct {
		Run []string `json:"run"`
	}
	if string(message) == "null" {
		return // it is over already
	}
	e := &episode{in: make(chan []byte), out: make(chan said)}
	t.runs[name] = e
	err := json.Unmarshal(message, &what)
	go func() {
		if err == nil && len(what.Run) > 0 {
			var words bytes.Buffer
			runCommand.run(append(what.Run, "--command", attachedCommand), e, e, io.MultiWriter(t.stderr, &words))
			if e.said.Len() == 0 { // nothing was begun: the words say why
				json.NewEncoder(e).Encode(map[string]string{"failed": words.String()})
			}
		} else {
			e.Write([]byte(`{"failed":"there is no such run: it begins with {\"run\":[…]}"}`))
		}
		e.hand(true)
	}()
}

// giveUp ends a run that waits for an answer.
func (t seats) giveUp(name string) {
	e := t.runs[name]
	delete(t.runs, name)
	close(e.in)
	for !(<-e.out).over {
	}
}
