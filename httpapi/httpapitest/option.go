package httpapitest

import (
	"bytes"
	"fmt"
	"io/fs"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// Option reports how a harness differs from the usual one.
type Option func(*options) error

type options struct {
	now      time.Time
	numbered bool
	controls bool
	worlds   []*platform.World
	owner    twinplatform.Principal // of what worlds leave open; empty: Admin
	platform []func(*platform.Config)
	http     []func(*httpapi.Config)
	webhooks webhooks.Config

	vocabulary httpapi.Vocabulary
	deliveries httpapi.Deliveries
}

// WithWorld fills the platform from seeds, such as those of the example server, in
// the order of their names. Members that are not read are refused.
func WithWorld(files fs.FS, names ...string) Option {
	return func(o *options) error {
		if len(names) == 0 {
			return fmt.Errorf("WithWorld names no file")
		}
		for _, name := range names {
			w, err := readWorld(files, name)
			if err != nil {
				return fmt.Errorf("the world %s: %w", name, err)
			}
			o.worlds = append(o.worlds, w)
		}
		return nil
	}
}

func readWorld(files fs.FS, name string) (*platform.World, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // which was read
	return platform.ReadWorld(f)
}

// WithNow starts the clock at another moment than Monday, 5 January 2026, 9:00 UTC.
func WithNow(now time.Time) Option {
	return func(o *options) error { o.now = now; return nil }
}

// WithNumberedIDs makes ids that are the same in each run: the platform numbers
// what it makes. Tokens of lists stay as they are, different in each run.
func WithNumberedIDs() Option {
	return func(o *options) error { o.numbered = true; return nil }
}

// WithPlatform changes what the platform is made with, such as the retention or
// containers for the bytes of reality data. Clock and ids are the harness's.
func WithPlatform(configure func(*platform.Config)) Option {
	return func(o *options) error { o.platform = append(o.platform, configure); return nil }
}

// WithAPI changes what the handler is made with, such as the rate limit or an
// observer.
func WithAPI(configure func(*httpapi.Config)) Option {
	return func(o *options) error { o.http = append(o.http, configure); return nil }
}

// WithVocabulary lets everything use the names of a deployment: requests and answers,
// errors and those of faults, events on their way to webhooks. Operations keep their ids,
// and the journal the codes of the specification; what was sent and not read is named as
// it was sent. The receiver of Webhooks understands it.
func WithVocabulary(v httpapi.Vocabulary) Option {
	return func(o *options) (err error) {
		o.vocabulary = v
		o.deliveries, err = v.Deliveries()
		return err
	}
}

// WithVocabularyFile is WithVocabulary with what a file says, in JSON.
func WithVocabularyFile(files fs.FS, name string) Option {
	return func(o *options) error {
		raw, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		v, err := httpapi.ParseVocabulary(bytes.NewReader(raw))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return WithVocabulary(v)(o)
	}
}

// WithRate sets the number of requests that a principal may make in a minute of
// the clock, and at once.
func WithRate(perMinute int) Option {
	return WithAPI(func(c *httpapi.Config) { c.Rate = perMinute })
}
