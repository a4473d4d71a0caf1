// Command pictures makes the pictures of the documentation again: the console as a
// browser shows it.
//
//	go run -C internal/browser ./pictures
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/seed-933f9a09/twinplatform/internal/browser"
)

const root = "../.."

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	dir, err := os.MkdirTemp("", "pictures")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	file := filepath.Join(dir, "server")
	if err := browser.Build(ctx, root, file); err != nil {
		return err
	}
	server, err := browser.Serve(ctx, root, file, "-seed", browser.World)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	tab, err := browser.Start(ctx)
	if err != nil {
		return err
	}
	if err := browser.Populate(tab, server.URL); err != nil {
		return err
	}
	for _, p := range browser.Pictures {
		if p.Page == "" {
			if err := browser.FailingWebhook(tab, server.URL); err != nil {
				return err
			}
		}
		png, err := p.Take(tab, server.URL)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(root, browser.PicturesFolder, p.Name), png, 0o644); err != nil {
			return err
		}
	}
	return nil
}
