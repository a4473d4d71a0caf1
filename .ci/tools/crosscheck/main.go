// Crosscheck type-checks the packages of a module as they are on the platform that GOOS
// and GOARCH name, with all that they import. That finds what does not compile there, in a
// small part of the time that it takes to compile it.
package main

import (
	"log"
	"os"

	"golang.org/x/tools/go/packages"
)

func main() {
	log.SetFlags(0)
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax}, os.Args[1:]...)
	if err != nil {
		log.Fatal(err)
	}
	if packages.PrintErrors(pkgs) > 0 {
		os.Exit(1)
	}
	log.Printf("%d packages", len(pkgs))
}
