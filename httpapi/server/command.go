package server

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
)

// command is one of the things that the program does: its line of documentation here, which
// the help and docs/operating.md show, and all else in a file of its own.
type command struct {
	name, operands string
	text           string // what it does; what stands between backquotes is code
	job            func() job
}

// commands are all of them; the first is what is done when none is named.
func commands() []command {
	return []command{
		{"serve", "", "answers requests until SIGTERM; what runs when none is named", serveCommand},
		{
			"backup", "FILE",
			"writes all that the `-db` file holds to another, also while a server has it open", backupCommand,
		},
		{
			"restore", "FILE",
			"replaces all that the `-db` file holds by a backup: through the server, where one was " +
				"started with `-admin`, else by itself", restoreCommand,
		},
		{
			"check", "FILE",
			"reads a store or a backup to its end without writing; says what it holds, or what is " +
				"damaged and what a repair would keep. Exits with 1 where a server would not open it, and " +
				"for a backup that is not whole", checkCommand,
		},
		{
			"repair", "FILE TARGET",
			"writes what is whole in a damaged store or backup, before and behind the damage, to another " +
				"file", repairCommand,
		},
		{
			"export", "FILE",
			"writes what the `-db` file holds as a seed, where no server has it open", exportCommand,
		},
		{
			"import", "FILE",
			"applies a seed, or imports a planner file, to the `-db` file, where no server has it open, " +
				"and leaves it as it was where that is refused", importCommand,
		},
		{
			"plan", "VERB FILE",
			"looks into planner files, without a server and without a store: `info`, `analyze`, `check`, " +
				"`gantt`, `compare`, `convert`; see [planner files](planner.md)", planCommand,
		},
		{"token", "VERB", tokenText, tokenCommand},
		{
			"vocabulary", "",
			"prints every name that a `-vocabulary` may have another one for, by area and table; with `-check FILE` it " +
				"tries one without a server, and says of each wrong entry its line and what may have been meant", vocabularyCommand,
		},
		{
			"record", "",
			"stands in front of a deployment as a proxy, and makes of its traffic conversations, a seed and the draft of a " +
				"vocabulary, without secrets and names of people, see [recording](recording.md)", recordCommand,
		},
		{
			"compare", "CONVERSATION…",
			"holds conversations with a deployment and with this program, and tells by operation and member how the " +
				"answers differ; exits with 1 where they do, see [recording](recording.md)", compareCommand,
		},
		{
			"health", "",
			"asks the server at `-addr` whether it is ready, for a container's health check", healthCommand,
		},
		{
			"new-history", "",
			"is for a database at `-db` that was brought back to an earlier state by its own means: clients " +
				"that know later states are told to list anew", newHistoryCommand,
		},
		{"version", "", "says which version this is", versionCommand},
		{"man", "", "prints the manual, in the form of `man`", manCommand},
		{"completion", "SHELL", "prints completions for `bash`, `fish` or `zsh`", completionCommand},
	}
}

// job is what a command does, and with which flags.
type job struct {
	options []string // those of the options of a server that it takes
	example string   // a call
	run     func(ctx context.Context, s *server, operands []string, stdout io.Writer) error
	// verbs, in the place of run, reads its arguments itself; words are what it knows them by.
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
			overview(p.Stdout)
			return flag.ErrHelp
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
		c.help(p.Stdout)
	}
	if err != nil {
		return cfg, nil, wrongly{err}
	}
	if want := strings.Fields(c.operands); len(operands) != len(want) {
		if len(want) == 0 {
			return cfg, nil, wrongly{fmt.Errorf("unexpected argument %q: everything else is said with flags, see -h", operands[0])}
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
