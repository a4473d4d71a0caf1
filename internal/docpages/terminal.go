package docpages

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Needs skips a test on a machine that lacks one of the programs, and fails it there
// where CI is in the environment: what no one runs is not kept.
func Needs(t testing.TB, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err == nil {
			continue
		}
		if os.Getenv("CI") != "" {
			t.Fatalf("%s is not installed", p)
		}
		t.Skipf("%s is not installed", p)
	}
}

// Terminal is where a page is typed.
type Terminal struct {
	Dir string   // the folder in which it is typed
	Env []string // in addition to the environment of the test
	// Addresses has the host:port that a test uses in place of one of the page, such as
	// [Address].
	Addresses map[string]string

	t      *testing.T
	shell  *bash
	server *bash
}

// Type types blocks of sh and console, and holds what is printed to what the blocks show.
// What was started ends with the test.
func (term *Terminal) Type(t *testing.T, blocks []Block) {
	t.Helper()
	Needs(t, "bash", "curl")
	term.t = t
	term.shell = term.open()
	for i, b := range blocks {
		sh := Typed{Command: b.Text}
		if i+1 < len(blocks) && blocks[i+1].Info == "text" {
			sh.Output, sh.Shown = blocks[i+1].Text, true
		}
		switch b.Info {
		case "sh":
			term.paste(b, sh, true)
		case "sh serves":
			term.serve(b, sh)
		case "console":
			for _, c := range b.Commands() {
				term.paste(b, c, false)
			}
		}
	}
}

// paste types a command into the shell of the page and compares what it prints. A strict
// one ends the shell where a part of it fails.
func (term *Terminal) paste(b Block, c Typed, strict bool) {
	term.t.Helper()
	printed, err := term.shell.run(term.there(c.Command), strict)
	if err != nil {
		term.t.Fatalf("line %d: %s\nends the shell: %v\n%s", b.Line, c.Command, err, printed)
	}
	term.compare(b, c, printed)
}

func (term *Terminal) compare(b Block, c Typed, printed string) {
	term.t.Helper()
	for shown, used := range term.Addresses {
		printed = strings.ReplaceAll(printed, used, shown)
	}
	if c.Shown && !Same(c.Output, printed) {
		term.t.Errorf("line %d: %s\nprints\n%s\nand the page shows\n%s", b.Line, c.Command, printed, c.Output)
	}
}

// there is a command with the addresses that the test uses.
func (term *Terminal) there(command string) string {
	for shown, used := range term.Addresses {
		command = strings.ReplaceAll(command, shown, used)
	}
	return command
}

// serve starts a server in place of the one before it, and returns once it has printed
// its examples.
func (term *Terminal) serve(b Block, c Typed) {
	term.t.Helper()
	if term.server != nil {
		term.server.end()
	}
	term.server = term.open()
	if err := term.server.start("exec " + term.there(c.Command)); err != nil {
		term.t.Fatal(err)
	}
	var printed strings.Builder
	late := time.AfterFunc(serverBegins, func() { endGroup(term.server.command) })
	defer late.Stop()
	for {
		line, err := term.server.out.ReadString('\n')
		printed.WriteString(line)
		if err != nil {
			term.t.Fatalf("line %d: %s\ndoes not serve: %v\n%s", b.Line, c.Command, err, printed.String())
		}
		if strings.HasPrefix(line, "  try") {
			break
		}
	}
	go func() { _, _ = io.Copy(io.Discard, term.server.out) }()
	term.compare(b, c, printed.String())
}

// asAtTerminal has programs print to a pipe what a reader of the page sees at a terminal.
var asAtTerminal = []string{"TWIN_BANNER=true"}

// serverBegins is how long a server has until it has printed its examples.
const serverBegins = 2 * time.Minute

// bash is a shell that takes one command after the other.
type bash struct {
	command *exec.Cmd
	dir     string // for what is typed
	in      io.WriteCloser
	out     *bufio.Reader
	ended   bool
}

func (term *Terminal) open() *bash {
	term.t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		term.t.Fatal(err)
	}
	b := &bash{command: exec.Command("bash", "--norc"), dir: term.t.TempDir(), out: bufio.NewReader(read)}
	b.command.Dir, b.command.Env = term.Dir, slices.Concat(os.Environ(), asAtTerminal, term.Env)
	b.command.Stdout, b.command.Stderr = write, write
	ownGroup(b.command)
	if b.in, err = b.command.StdinPipe(); err == nil {
		err = b.command.Start()
	}
	if err != nil {
		term.t.Fatal(err)
	}
	_ = write.Close()
	term.t.Cleanup(func() {
		b.end()
		_ = read.Close()
	})
	return b
}

// end ends the shell and everything that it has started.
func (b *bash) end() {
	if b.ended {
		return
	}
	b.ended = true
	endGroup(b.command)
	_ = b.command.Wait()
}

// start types a command that reads nothing.
func (b *bash) start(command string) error {
	file := filepath.Join(b.dir, "typed")
	if err := os.WriteFile(file, []byte(command), 0o600); err != nil {
		return err
	}
	_, err := fmt.Fprintf(b.in, ". '%s' </dev/null\n", file)
	return err
}

// run types a command and waits until it has ended. What it leaves in the background
// keeps running.
func (b *bash) run(command string, strict bool) (printed string, err error) {
	const mark = '\x1e'
	if strict {
		command = "set -eo pipefail\n" + command + "\nset +eo pipefail\n"
	}
	if err := b.start(command); err != nil {
		return "", err
	}
	if _, err := fmt.Fprintln(b.in, `printf '\036'`); err != nil {
		return "", err
	}
	printed, err = b.out.ReadString(mark)
	return strings.TrimSuffix(printed, string(mark)), err
}
