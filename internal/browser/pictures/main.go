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

	"github.com/chromedp/chromedp"

	"github.com/seed-933f9a09/twinplatform/internal/browser"
)

const root = "../.."

// pictures are the files below docs, by the page that each shows.
var pictures = map[string]string{
	"console.png": "/console/schedules/mp-j30-a2-nr1?scale=week",
}

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
	server, err := browser.Serve(ctx, root, file, "-seed", "examples/server/testdata/world-j30.json")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	tab, err := browser.Start(ctx)
	if err != nil {
		return err
	}
	for name, page := range pictures {
		if err := chromedp.Do(tab, chromedp.EmulateViewport(1280, 800), chromedp.Navigate(server.URL+page)); err != nil {
			return err
		}
		png, err := chromedp.Run(tab, chromedp.CaptureScreenshot())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(root, "docs", name), png, 0o644); err != nil {
			return err
		}
	}
	return nil
}
