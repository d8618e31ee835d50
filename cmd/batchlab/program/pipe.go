package program

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// maxLine bounds the bytes of a line that a program writes.
const maxLine = 16 << 20

// How long a program may take to end: when all jobs are done, and when the run has
// failed.
const (
	farewell = 10 * time.Second
	dismiss  = 500 * time.Millisecond
)

// Pipe is a line in each direction. It serves one run at a time.
type Pipe struct {
	in  *bufio.Reader
	out io.Writer
	// process is nil where the other side has started us.
	process *process
}

// Attached returns a pipe to whoever has started this process and reads what it
// writes; it waits for answers as long as they take.
func Attached(in io.Reader, out io.Writer) *Pipe {
	return &Pipe{in: bufio.NewReaderSize(in, 1<<16), out: out}
}

// process is a program that was started here.
type process struct {
	cmd     *exec.Cmd
	stdin   io.Closer
	tail    tail
	timeout time.Duration
	watch   *time.Timer
	late    atomic.Bool
	once    sync.Once
	ended   error
}

// start runs a program. What it writes to its standard error goes on to stderr.
func start(command string, timeout time.Duration, stderr io.Writer) (*Pipe, error) {
	words, err := Words(command)
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.Command(words[0], words[1:]...), timeout: timeout, tail: tail{to: stderr}}
	p.cmd.Stderr = &p.tail
	p.cmd.WaitDelay = farewell
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("it could not be started: %w", err)
	}
	p.stdin = stdin
	p.watch = time.AfterFunc(timeout, func() {
		p.late.Store(true)
		p.cmd.Process.Kill()
	})
	return &Pipe{in: bufio.NewReaderSize(stdout, 1<<16), out: stdin, process: p}, nil
}

// ask writes a line and reads the answer, which is valid until the next one.
func (p *Pipe) ask(line []byte) ([]byte, error) {
	if p.process != nil {
		p.process.watch.Reset(p.process.timeout)
		defer p.process.watch.Stop()
	}
	if _, err := p.out.Write(line); err != nil {
		return nil, p.broken()
	}
	answer, err := p.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		whole := bytes.Clone(answer)
		for errors.Is(err, bufio.ErrBufferFull) && len(whole) <= maxLine {
			answer, err = p.in.ReadSlice('\n')
			whole = append(whole, answer...)
		}
		if answer = whole; len(whole) > maxLine {
			return nil, fmt.Errorf("it wrote a line of more than %d bytes", maxLine)
		}
	}
	if err != nil {
		return nil, p.broken()
	}
	return answer, nil
}

// broken says why nothing comes any more.
func (p *Pipe) broken() error {
	if p.process == nil {
		return errors.New("whoever started batchlab has closed its side")
	}
	err := p.process.end(dismiss)
	switch {
	case p.process.late.Load():
		return fmt.Errorf("it gave no answer for %v and was stopped (the parameter timeout says how long it may take)", p.process.timeout)
	case err != nil:
		return fmt.Errorf("it ended before the simulation: %w%s", err, p.process.tail.words())
	}
	return fmt.Errorf("it ended before the simulation, with exit status 0%s", p.process.tail.words())
}

// close tells a program its last line and lets it end by itself, for a while.
func (p *Pipe) close(line []byte, patience time.Duration) error {
	_, err := p.out.Write(line)
	if p.process == nil {
		return err
	}
	if err := p.process.end(patience); err != nil {
		return fmt.Errorf("after the last job: %w%s", err, p.process.tail.words())
	}
	return nil
}

// end waits for the program, and kills it when it takes too long.
func (p *process) end(patience time.Duration) error {
	p.once.Do(func() {
		p.watch.Stop()
		p.stdin.Close()
		kill := time.AfterFunc(patience, func() { p.cmd.Process.Kill() })
		p.ended = p.cmd.Wait()
		kill.Stop()
	})
	return p.ended
}

// tail passes on what is written and keeps the last line.
type tail struct {
	mu   sync.Mutex
	to   io.Writer
	last []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	const most = 2000
	if t.last = append(t.last, b...); len(t.last) > most {
		t.last = t.last[len(t.last)-most:]
	}
	return t.to.Write(b)
}

// words quotes the last line, "" if there is none.
func (t *tail) words() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(t.last)), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return fmt.Sprintf("; the last it wrote to its standard error is: %.300s", last)
	}
	return ""
}

// Words splits a command into words as a shell does: at spaces, with single or
// double quotes around what belongs together; between double quotes and outside
// of quotes a backslash before a quote, a space or a backslash takes it
// literally. Nothing else is special.
func Words(command string) ([]string, error) {
	var words []string
	var word []byte
	open, quote := false, byte(0)
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case c == '\\' && quote != '\'' && i+1 < len(command) && strings.IndexByte(`"'\ `, command[i+1]) >= 0:
			i++
			word, open = append(word, command[i]), true
		case c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, open = c, true
		case quote == 0 && (c == ' ' || c == '\t'):
			if open {
				words, word, open = append(words, string(word)), nil, false
			}
		default:
			word, open = append(word, c), true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the command has a quote %c that is not closed", quote)
	}
	if open {
		words = append(words, string(word))
	}
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("the command names no program")
	}
	return words, nil
}
