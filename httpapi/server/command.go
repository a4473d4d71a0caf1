package server

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/usage"
	"github.com/seed-933f9a09/twinplatform/schedules/planner/cli"
)

// command is one command of the program: its texts for the help, the manual and
// docs/operating.md are here, and all else in a separate file.
type command struct {
	name, operands string
	group          string // in the help
	short          string // what it does, in the list of all
	text           string // what it does, in sentences; what is between backquotes is code
	job            func() job
}

// Groups of commands.
const (
	serving    = "Server"
	storing    = "Store"
	planning   = "Planner files"
	deploying  = "A deployment of the platform"
	concerning = "This program"
)

// commands are all of them; the first is what is done when none is named. Those of a group
// follow each other.
func commands() []command {
	return []command{
		{
			"serve", "", serving, "answer requests; the default",
			"Serves the API until it is stopped by an interrupt or SIGTERM. The default command.", serveCommand,
		},
		{
			"health", "", serving, "ask a server whether it is ready",
			"Asks the server at `-addr` whether it is ready. For the health check of a container.", healthCommand,
		},
		{"token", "VERB", serving, "add, list and revoke tokens", tokenText, tokenCommand},
		{
			"backup", "FILE", storing, "write a backup",
			"Writes all that the `-db` file holds to another file. A server may have it open.", backupCommand,
		},
		{
			"restore", "FILE", storing, "replace the store by a backup",
			"Replaces all that the `-db` file holds by a backup. A server that has it open restores it itself if it " +
				"was started with `-admin`.", restoreCommand,
		},
		{
			"check", "FILE", storing, "look for damage in a store or a backup",
			"Reads a store or a backup to its end, without writing. Says what it holds, or what is damaged and what " +
				"a repair would keep. Exits with 1 if a " +
				"server would not open it, or a backup is not whole.", checkCommand,
		},
		{
			"repair", "FILE TARGET", storing, "save what is whole in a damaged store",
			"Copies what is whole in a damaged store or backup, before and behind the damage, to another file.",
			repairCommand,
		},
		{
			"export", "FILE", storing, "write the store as a seed",
			"Writes what the `-db` file holds as a seed, which `-seed` and `import` read. No server may have it open.",
			exportCommand,
		},
		{
			"import", "FILE", storing, "read a seed or a planner file",
			"Reads a seed or a planner file into the `-db` file, all of it or nothing. No server may have it open.",
			importCommand,
		},
		{
			"new-history", "", storing, "after a database was set back",
			"For a database that was set back to an earlier state by its own means. Clients that know later states " +
				"are then asked to list again.", newHistoryCommand,
		},
		{
			"plan", "VERB FILE", planning, "analyze, check, draw, compare and convert planner files",
			"Works on planner files without a server: `" + strings.Join(cli.Verbs(), "`, `") +
				"`. See [planner files](planner.md).", planCommand,
		},
		{
			"record", "", deploying, "record its traffic as tests",
			"A proxy in front of a deployment. Makes conversations, a seed and a draft vocabulary of its traffic, " +
				"without secrets and names of people. See " +
				"[recording](recording.md).", recordCommand,
		},
		{
			"compare", "CONVERSATION…", deploying, "find where its answers differ from those of this program",
			"Holds conversations with a deployment and with this program, and reports by operation and member how " +
				"the answers differ. Exits with 1 if they do. " +
				"See [recording](recording.md).", compareCommand,
		},
		{
			"vocabulary", "", deploying, "list or check the names that a vocabulary may change",
			"Prints every name that a vocabulary may change, by area and table. With `-check FILE` it checks a " +
				"vocabulary, and names the line of each mistake.", vocabularyCommand,
		},
		{"version", "", concerning, "print the version", "Prints the version.", versionCommand},
		{"man", "", concerning, "print the manual", "Prints the manual, in the form of `man`.", manCommand},
		{
			"completion", "SHELL", concerning, "print completions for bash, fish or zsh",
			"Prints completions for `bash`, `fish` or `zsh`.", completionCommand,
		},
	}
}

// job is what a command does, and with which flags.
type job struct {
	options  []string // those of the options of a server that it takes
	examples []usage.Example
	run      func(ctx context.Context, s *server, operands []string, stdout io.Writer) error
	// verbs, in place of run, reads its arguments itself; words are what it knows them by.
	verbs func(ctx context.Context, p Process) error
	words []string
}

// What commands take that work on a store.
var (
	storeOptions = []string{"config", "db", "log", "log-level"}
	worldOptions = append([]string{
		"account-bytes", "files", "seed", "store-bytes", "tokens", "vocabulary", "webhook-key",
	}, storeOptions...)
)

// find is the command that the arguments name, and those that are left for it.
func find(args []string) (command, []string, error) {
	all := commands()
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return all[0], args, nil
	}
	at := slices.IndexFunc(all, func(c command) bool { return c.name == args[0] })
	if info, err := os.Stat(args[0]); at < 0 && err == nil && info.Mode().IsRegular() { // a plan to show
		return all[slices.IndexFunc(all, func(c command) bool { return c.name == "plan" })], args, nil
	}
	if at < 0 {
		return command{}, nil, wrongly{fmt.Errorf("unknown command %q: see -h", args[0])}
	}
	return all[at], args[1:], nil
}

// run does what the arguments say. What it serves it serves until ctx is done. It prints
// to stdout, and logs to stderr.
func run(ctx context.Context, args, env []string, stdout, stderr io.Writer) error {
	return Process{Args: args, Env: env, Stdout: stdout, Stderr: stderr}.run(ctx)
}

func (p Process) run(ctx context.Context) error {
	args := p.Args
	if len(args) > 0 && slices.Contains([]string{"help", "-h", "-help", "--help"}, args[0]) {
		if len(args) == 1 {
			return cmp.Or(overview().Write(p.Stdout), flag.ErrHelp)
		}
		args = []string{args[1], "-h"}
	}
	c, args, err := find(args)
	if err != nil {
		return err
	}
	if p.Args = args; c.job().verbs != nil {
		return c.job().verbs(ctx, p)
	}
	cfg, operands, err := c.parse(p)
	if err != nil {
		return err
	}
	return c.job().run(ctx, newServer(cfg), operands, p.Stdout)
}

// parse reads what a command is called with, or prints its help where that is asked for and
// returns flag.ErrHelp.
func (c *command) parse(p Process) (Config, []string, error) {
	takes := c.job().options
	cfg, operands, err := parseOptions(takes, p.Engines, p.Args, p.Env)
	if errors.Is(err, flag.ErrHelp) {
		err = cmp.Or(c.help().Write(p.Stdout), err)
	}
	if err != nil {
		return cfg, nil, wrongly{err}
	}
	if want := strings.Fields(c.operands); len(operands) != len(want) {
		if len(want) == 0 {
			return cfg, nil, wrongly{fmt.Errorf("unexpected argument %q: everything else is given with flags, see -h",
				operands[0])}
		}
		return cfg, nil, wrongly{fmt.Errorf("%s wants %s, see -h", c.name, c.operands)}
	}
	cfg.Out, cfg.Logger = p.Stdout, cfg.logger(p.Stderr)
	cfg.reread = func() (Config, error) {
		now, _, err := parseOptions(takes, p.Engines, p.Args, p.Env)
		return now, err
	}
	return cfg, operands, nil
}
