package house_test

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

// update writes the pages that are made from code.
var update = flag.Bool("update", false, "write the pages that are made from code")

func TestMain(m *testing.M) {
	flag.Parse()
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
