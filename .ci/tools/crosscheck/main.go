// Crosscheck type-checks the packages of a module as they are on the platform that GOOS
// and GOARCH name, with all that they import. That finds what does not compile there, in a
// small part of the time that it takes to compile it.
package main

import (
	"flag"
	"log"
	"os"

	"golang.org/x/tools/go/packages"
)

func main() {
	log.SetFlags(0)
	tests := flag.Bool("tests", false, "with their tests")
	tags := flag.String("tags", "", "the build tags, with commas between them")
	flag.Parse()
	config := packages.Config{Mode: packages.LoadAllSyntax, Tests: *tests, BuildFlags: []string{"-tags=" + *tags}}
	pkgs, err := packages.Load(&config, flag.Args()...)
	if err != nil {
		log.Fatal(err)
	}
	if packages.PrintErrors(pkgs) > 0 {
		os.Exit(1)
	}
	log.Printf("%d packages", len(pkgs))
}
