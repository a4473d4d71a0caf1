package main

import (
	"fmt"
	"os"

	"github.com/seed-933f9a09/twinplatform/platform"
)

// loadWorld reads a seed file; without one there is none.
func loadWorld(file string) (*platform.World, error) {
	if file == "" {
		return nil, nil
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("reading the seed: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	w, err := platform.ReadWorld(f)
	if err != nil {
		return nil, fmt.Errorf("reading the seed: %s: %w", file, err)
	}
	return w, nil
}
