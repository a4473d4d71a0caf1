package storagetest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// The environment variables that hold the task of a child process.
const (
	childDir  = "STORAGETEST_CHILD_DIR"
	childSize = "STORAGETEST_CHILD_BYTES"
)

// childKeys is the number of keys that a child writes in each transaction.
const childKeys = 8

// asChild takes over when this process is a child: it writes transactions
// without end and prints the number of each that was acknowledged.
func asChild(t *testing.T, engine Engine) {
	dir := os.Getenv(childDir)
	if dir == "" {
		return
	}
	size, _ := strconv.Atoi(os.Getenv(childSize))
	err := func() error {
		s, err := engine.Open(dir)
		if err != nil {
			return err
		}
		n, err := childState(t.Context(), s)
		if err != nil {
			return err
		}
		for {
			n++
			if err := childWrite(t.Context(), s, n, size); err != nil {
				return err
			}
			fmt.Println("acknowledged", n)
			if n%40 == 0 {
				if err := storage.Compact(t.Context(), s); err != nil {
					return err
				}
			}
		}
	}()
	fmt.Println("child failed:", err)
	os.Exit(3)
}

// childWrite writes transaction n: every key gets a value that begins with n.
func childWrite(ctx context.Context, s storage.Store, n, size int) error {
	return s.Update(ctx, func(w storage.Writer) error {
		for i := range childKeys {
			value := make([]byte, size)
			copy(value, strconv.Itoa(n)+" ")
			if err := w.Put(fmt.Sprintf("key %d", i), value); err != nil {
				return err
			}
		}
		return nil
	})
}

// childState returns the number of the transaction that a store shows, or an
// error when it shows parts of several.
func childState(ctx context.Context, s storage.Store) (int, error) {
	content, err := Dump(ctx, s)
	if err != nil {
		return 0, err
	}
	if len(content) != 0 && len(content) != childKeys {
		return 0, fmt.Errorf("%d of %d keys", len(content), childKeys)
	}
	last := -1
	for _, value := range content {
		number, _, _ := strings.Cut(value, " ")
		n, err := strconv.Atoi(number)
		if err != nil || (last >= 0 && n != last) {
			return 0, fmt.Errorf("a value of transaction %q together with one of %d", number, last)
		}
		last = n
	}
	return max(last, 0), nil
}

// child is a running child process.
type child struct {
	command *exec.Cmd
	output  *bufio.Scanner
	acked   int // number of the last acknowledged transaction
}

// startChild runs this test again in another process, as a child that works on
// a folder.
func startChild(t *testing.T, dir string, size int) *child {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := "^" + strings.ReplaceAll(t.Name(), "/", "$/^") + "$"
	command := exec.CommandContext(t.Context(), program, "-test.run="+name)
	command.Env = append(os.Environ(), childDir+"="+dir, childSize+"="+strconv.Itoa(size))
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	return &child{command: command, output: bufio.NewScanner(out)}
}

// read waits until the child has acknowledged another n transactions.
func (c *child) read(n int) error {
	for range n {
		if !c.output.Scan() {
			return errors.Join(io.ErrUnexpectedEOF, c.output.Err())
		}
		if err := c.note(c.output.Text()); err != nil {
			return err
		}
	}
	return nil
}

func (c *child) note(line string) error {
	number, ok := strings.CutPrefix(line, "acknowledged ")
	if !ok {
		return errors.New(line)
	}
	n, err := strconv.Atoi(number)
	c.acked = n
	return err
}

// kill ends the child at once and reads what it still had to say.
func (c *child) kill() error {
	if err := c.command.Process.Kill(); err != nil {
		return err
	}
	for c.output.Scan() {
		if err := c.note(c.output.Text()); err != nil {
			return err
		}
	}
	_ = c.command.Wait() // was killed
	return nil
}
