package server

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/usage"
)

// vocabularyCommand helps to write a vocabulary.
func vocabularyCommand() job {
	verbs := []verb{{
		text: "Prints every name that a vocabulary may change, by area and table.",
		examples: []usage.Example{
			{Call: "twinplatform vocabulary", Does: "Lists the names."},
			{Call: "twinplatform vocabulary -check names.json", Does: "Checks a vocabulary, without a server."},
		},
		flags: func(set *flag.FlagSet) func(Process, []string) error {
			file := set.String("check", "",
				"check this `file` instead, and name the line of each mistake and what may have been meant")
			return func(p Process, _ []string) error {
				if *file != "" {
					return checkVocabulary(*file, p.Stdout)
				}
				return printNames(p.Stdout)
			}
		},
	}}
	return job{
		examples: verbs[0].examples,
		words:    []string{"-check", "-h"},
		verbs:    func(_ context.Context, p Process) error { return runVerb("vocabulary", "", verbs, p) },
	}
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
