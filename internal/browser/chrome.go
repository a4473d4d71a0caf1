// Package browser looks at the console as people do: in Chromium, which it drives. Its
// tests are the package's purpose, and [Pictures] makes those of the documentation.
package browser

import (
	"context"
	"errors"
	"os"
	"os/exec"

	"github.com/chromedp/chromedp"
)

// ErrNoChromium reports that there is no browser here to drive.
var ErrNoChromium = errors.New("no Chromium is installed here")

// Start starts a browser without a window. It ends with the context.
func Start(ctx context.Context) (context.Context, error) {
	path := ""
	// The one without an interface takes two thirds of the processor time.
	for _, name := range []string{
		"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome",
		"google-chrome-stable",
	} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		return nil, ErrNoChromium
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("enable-unsafe-swiftshader", true)) // or it complains that WebGL is drawn by the processor
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // which it refuses to root
	}
	allocator, _ := chromedp.NewExecAllocator(ctx, options...)
	browser, _ := chromedp.NewContext(allocator)
	return browser, chromedp.Do(browser)
}
