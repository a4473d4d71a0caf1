package server

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// helpOf is what a command prints when it is asked for help.
func helpOf(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(t.Context(), args, nil, &out, io.Discard); !errors.Is(err, flag.ErrHelp) {
		t.Fatalf("%v: run returns %v, want flag.ErrHelp", args, err)
	}
	return out.String()
}

func TestEachCommandHasItsOwnHelp(t *testing.T) {
	t.Parallel()
	all := helpOf(t, "-h")
	for _, c := range commands() {
		if !regexp.MustCompile(`\n  ` + c.name + ` +\w`).MatchString(all) {
			t.Errorf("the help does not name %s:\n%s", c.name, all)
		}
		job := c.job()
		if job.verbs != nil {
			continue
		}
		help := helpOf(t, c.name, "-h")
		if help != helpOf(t, "help", c.name) {
			t.Errorf("%s has two kinds of help", c.name)
		}
		if !strings.HasPrefix(help, "Usage: "+c.usage()+"\n") || strings.ContainsAny(help, "`") {
			t.Errorf("the help of %s is\n%s", c.name, help)
		}
		for _, e := range job.examples {
			if !strings.Contains(help, "\n  "+e.Call+"\n") || !strings.Contains(e.Call, "twinplatform "+c.name) {
				t.Errorf("the help of %s has the example %s:\n%s", c.name, e.Call, help)
			}
		}
		for _, o := range new(Config).options() {
			if shown := strings.Contains(help, "\n  "+strings.TrimSpace("-"+o.name+" "+o.value)+"  "); shown != slices.Contains(job.options, o.name) {
				t.Errorf("the help of %s shows -%s: %v", c.name, o.name, shown)
			}
		}
		for _, name := range job.options {
			if !slices.Contains(everyOption(), name) {
				t.Errorf("%s takes -%s, which there is not", c.name, name)
			}
		}
	}
}

func TestAPlanInPlaceOfACommandIsShown(t *testing.T) {
	t.Parallel()
	page := filepath.Join(t.TempDir(), "plan.html")
	if err := run(t.Context(), []string{planner + "/mspdi-mp_j30_a2_nr1.xml", "-o", page}, nil, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(page); err != nil || !strings.Contains(string(got), "<svg") {
		t.Errorf("%v: %.200s", err, got)
	}
}

func TestPlansHaveVerbsWithTheirOwnHelp(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args []string
		want string // at the beginning
	}{
		{[]string{"plan", "-h"}, "Usage: twinplatform plan COMMAND [flags] FILE…\n\nLooks into the files of Primavera P6 (XER, XML) and Microsoft Project (XML).\n"},
		{[]string{"help", "plan"}, "Usage: twinplatform plan COMMAND"},
		{[]string{"plan", "check", "-h"}, "Usage: twinplatform plan check [flags] FILE…\n\nCheck plans by the 14 points of DCMA.\n\nExample:\n\n  twinplatform plan check -v plan.xer\n"},
		{[]string{"plan", "info", planner + "/MultiprojectWithExternal.xer"}, "XER: 2 projects, 5 tasks, 1 links"},
	} {
		if got := output(t, tt.args...); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%v prints\n%s", tt.args, got)
		}
	}
}

// The exit codes of the verbs are those of the program.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args []string
		code int
	}{
		{[]string{"version"}, 0},
		{[]string{"backup", "-h"}, 0},
		{[]string{"backup", "file"}, 1},
		{[]string{"plan", "info", "none.xer"}, 1},
		{[]string{"plan", "paint"}, 2},
		{[]string{"paint"}, 2},
		{[]string{"-config", "none"}, 2},
		{[]string{"check"}, 2},
		{[]string{"check", "none.db"}, 1},
		{[]string{"plan", "check", "-high-duration", "5", planner + "/mspdi-mp_j30_a2_nr1.xml"}, 3},
	} {
		var errs bytes.Buffer
		code := Main(t.Context(), Process{Args: tt.args, Stdout: io.Discard, Stderr: &errs})
		if code != tt.code || (code != 0) != strings.HasPrefix(errs.String(), "twinplatform: ") {
			t.Errorf("%v exits with %d, want %d, and says %q", tt.args, code, tt.code, &errs)
		}
	}
}

// Each command shows by its exit code that it helped, and that it was called wrongly.
func TestEachCommandExitsWith0AfterHelpAndWith2AfterAWrongCall(t *testing.T) {
	t.Parallel()
	for _, c := range commands() {
		calls := [][]string{{c.name}}
		for _, word := range c.job().words {
			if !strings.HasPrefix(word, "-") {
				calls = append(calls, []string{c.name, word})
			}
		}
		for _, call := range calls {
			for flag, want := range map[string]int{"-h": 0, "-no-such-flag": 2} {
				var out, errs bytes.Buffer
				code := Main(t.Context(), Process{Args: append(slices.Clip(call), flag), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs})
				if code != want || (want == 0) != (strings.Contains(out.String(), "twinplatform "+strings.Join(call, " ")) && errs.Len() == 0) {
					t.Errorf("%v %s exits with %d, prints %q and says %q", call, flag, code, &out, &errs)
				}
				for line := range strings.Lines(out.String()) {
					if n := utf8.RuneCountInString(strings.TrimSpace(line)); n > 80 && !strings.HasPrefix(line, "  twinplatform ") {
						t.Errorf("the help of %v has a line of %d columns: %s", call, n, line)
					}
				}
				if want == 0 && (!strings.HasPrefix(out.String(), "Usage: twinplatform "+strings.Join(call, " ")) || !strings.Contains(out.String(), "\n  twinplatform ") && call[0] != "token") {
					t.Errorf("the help of %v has no call and no example:\n%s", call, &out)
				}
				if strings.ContainsAny(out.String(), "`") || strings.Contains(out.String(), "](") {
					t.Errorf("the help of %v has marks of Markdown:\n%s", call, &out)
				}
			}
		}
	}
}

func TestACommandTakesItsOwnFlagsAlone(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "twin.db")
	config := fileWith(t, "db = "+db+"\naddr = 127.0.0.1:0\nrate = 7\n")
	s := start(t, "-db", db)
	output(t, "backup", "-config", config, db+".backup") // of a server, whose other options do not matter here
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"backup", "-addr", ":0", "file"}, {"check", "-db", db, db}, {"version", "-rate", "7"}, {"health", "-db", db}} {
		if err := run(t.Context(), args, nil, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "flag provided but not defined: "+args[1]) {
			t.Errorf("%v ends with %v", args, err)
		}
	}
}

func TestTheManualNamesEachCommandFlagAndVariable(t *testing.T) {
	t.Parallel()
	manual := output(t, "man")
	for _, c := range commands() {
		if !strings.Contains(manual, "\n.B "+strings.ReplaceAll(c.usage(), "-", `\-`)+"\n") {
			t.Errorf("the manual does not name %s", c.name)
		}
	}
	for _, o := range new(Config).options() {
		flag := strings.ReplaceAll(strings.TrimSpace("-"+o.name+" "+o.value), "-", `\-`)
		if !strings.Contains(manual, "\n.B "+flag+"\n") || !strings.Contains(manual, "\n"+variable(o.name)+"\n") {
			t.Errorf("the manual does not name -%s and its variable", o.name)
		}
	}
	for line := range strings.Lines(manual) {
		if macro, _, _ := strings.Cut(strings.TrimSpace(line), " "); strings.HasPrefix(line, ".") && !slices.Contains([]string{".TH", ".SH", ".TP", ".B", ".br"}, macro) {
			t.Errorf("the manual has a line that man would take for a command: %s", line)
		}
	}
}

// bash completes a line, with the completions of the program.
func TestBashCompletesCommandsFlagsAndVerbs(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here")
	}
	script := output(t, "completion", "bash")
	for _, tt := range []struct {
		line []string
		want string
	}{
		{[]string{"twinplatform", "back"}, "backup"},
		{[]string{"twinplatform", "serve", "-log-l"}, "-log-level"},
		{[]string{"twinplatform", "backup", "-pprof"}, ""},
		{[]string{"twinplatform", "plan", "ga"}, "gantt"},
		{[]string{"twinplatform", "help", ""}, ""},
	} {
		ask := script + "\nCOMP_WORDS=(" + strings.Join(tt.line, " ") + ` "")` + "\nCOMP_CWORD=" + strconv.Itoa(len(tt.line)-1) +
			"\n_twinplatform\necho \"${COMPREPLY[*]}\""
		got, err := exec.CommandContext(t.Context(), bash, "-c", ask).CombinedOutput()
		if err != nil || strings.TrimSpace(string(got)) != tt.want {
			t.Errorf("%q is completed to %q (%v), want %q", tt.line, got, err, tt.want)
		}
	}
}

func TestCompletionsAreThereForThreeShells(t *testing.T) {
	t.Parallel()
	for shell, want := range map[string]string{
		"bash": "complete -o default -F _twinplatform twinplatform", "zsh": "#compdef twinplatform", "fish": "-a backup -d ",
	} {
		if got := output(t, "completion", shell); !strings.Contains(got, want) {
			t.Errorf("completions for %s have no %q:\n%s", shell, want, got)
		}
	}
	if err := run(t.Context(), []string{"completion", "tcsh"}, nil, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "bash, fish or zsh") {
		t.Errorf("completions for tcsh: %v", err)
	}
}
