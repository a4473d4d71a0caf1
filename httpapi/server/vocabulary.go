package server

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// vocabularyCommand is for who writes a vocabulary.
func vocabularyCommand() job {
	return job{
		example: "twinplatform vocabulary -check names.json",
		verbs:   func(_ context.Context, p Process) error { return lookAtVocabulary(p.Args, p.Stdout, p.Stderr) },
	}
}

func lookAtVocabulary(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("twinplatform vocabulary", flag.ContinueOnError)
	flags.SetOutput(stderr)
	file := flags.String("check", "", "the `FILE` to try; without it, all names that there are are printed")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("vocabulary takes no %q: see -h", flags.Arg(0))
	}
	if *file != "" {
		return checkVocabulary(*file, stdout)
	}
	return printNames(stdout)
}

func checkVocabulary(name string, stdout io.Writer) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	v, err := httpapi.ParseVocabulary(f)
	if err == nil {
		err = v.Check()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	_, err = fmt.Fprintf(stdout, "%s is a vocabulary that a server speaks.\n", name)
	return err
}

// printNames prints the names that a vocabulary may have others for, by area and table.
func printNames(stdout io.Writer) error {
	out := bufio.NewWriter(stdout)
	var area, table string
	for i, n := range httpapi.VocabularyNames() {
		if n.Area != area || i == 0 {
			title := n.Area
			if title == "" {
				title = "all areas"
			}
			fmt.Fprintf(out, "%s\n", title)
			area, table = n.Area, ""
		}
		if n.Table != table {
			fmt.Fprintf(out, "  %s\n", n.Table)
			table = n.Table
		}
		fmt.Fprintf(out, "    %s\n", n.Name)
	}
	return out.Flush()
}
