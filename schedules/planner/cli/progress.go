package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// bar shows how far long work is, in one line that is gone when the work is done.
type bar struct {
	out   io.Writer
	now   func() time.Time
	shown bool // only where people look

	what       string
	size, done int64
	from, last time.Time
	width      int // of what is on the line
}

// Work that takes no longer than patience is not shown, and the line changes no more
// often than each pace.
const (
	patience = 500 * time.Millisecond
	pace     = 100 * time.Millisecond
	cells    = 30
)

// begin begins work of a size in bytes, which is zero where it is not known, and returns
// what ends it.
func (b *bar) begin(what string, size int64) (end func()) {
	b.what, b.size, b.done, b.from, b.last = what, size, 0, b.now(), time.Time{}
	return b.clear
}

// reader counts what is read of the work.
func (b *bar) reader(r io.Reader) io.Reader {
	if !b.shown {
		return r
	}
	return &counted{r, b}
}

type counted struct {
	io.Reader
	bar *bar
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.bar.add(int64(n))
	return n, err
}

// writer counts what is written of the work.
func (b *bar) writer(w io.Writer) io.Writer {
	if !b.shown {
		return w
	}
	return &written{w, b}
}

type written struct {
	io.Writer
	bar *bar
}

func (w *written) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	w.bar.add(int64(n))
	return n, err
}

// add shows that so many bytes more are done.
func (b *bar) add(n int64) {
	b.done += n
	now := b.now()
	if !b.shown || now.Sub(b.from) < patience || now.Sub(b.last) < pace {
		return
	}
	b.last = now
	line := fmt.Sprintf("%s %.1f MB", b.what, float64(b.done)/1e6)
	if b.size > 0 {
		share := min(float64(b.done)/float64(b.size), 1)
		full := int(share * cells)
		line = fmt.Sprintf("%s [%s%s] %3.0f %%", b.what, strings.Repeat("#", full), strings.Repeat(" ", cells-full),
			100*share)
	}
	fmt.Fprintf(b.out, "\r%s%s", line, strings.Repeat(" ", max(b.width-len(line), 0)))
	b.width = len(line)
}

// clear takes the line away.
func (b *bar) clear() {
	if b.width > 0 {
		fmt.Fprintf(b.out, "\r%s\r", strings.Repeat(" ", b.width))
		b.width = 0
	}
}

// isTerminal reports whether people look at a file.
func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
