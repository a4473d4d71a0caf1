package httpapitest

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/recording"
	"github.com/seed-933f9a09/twinplatform/platform"
)

// Replay holds the conversations of a folder that "twinplatform record" has made with its own
// harness, which begins with the recorded seed and callers, and fails by operation and member where
// an answer is not as it was recorded. Options change the harness, such as a WithWorld in addition
// to the seed.
//
//	func TestTheEmulatorAnswersAsTheDeploymentDid(t *testing.T) {
//		t.Parallel()
//		httpapitest.Replay(t, "testdata/recorded")
//	}
//
// Members that the recorded vocabulary omits are left out of the answers of the harness, too.
// Ids, versions, tokens, the moment and the texts of errors may be others, as in the
// comparison of two servers by package recording.
func Replay(t testing.TB, dir string, with ...Option) {
	t.Helper()
	for _, d := range replayed(t, dir, with) {
		t.Error(d)
	}
}

// left reports of a vocabulary in a file what answers leave out, and nothing else:
// conversations are in the specification's words.
func left(file string) (out httpapi.Vocabulary, err error) {
	raw, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	v, err := httpapi.ParseVocabulary(bytes.NewReader(raw))
	out.Omit = v.Omit
	for area, names := range v.Areas {
		if len(names.Omit) > 0 {
			if out.Areas == nil {
				out.Areas = make(map[string]httpapi.Names)
			}
			out.Areas[area] = httpapi.Names{Omit: names.Omit}
		}
	}
	return out, err
}

// replayed are the differences between what was recorded and a harness.
func replayed(t testing.TB, dir string, with []Option) []recording.Difference {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("httpapitest: %v", err)
		}
	}
	notes, err := recording.ReadNotes(dir)
	must(err)
	raw, err := os.ReadFile(filepath.Join(dir, recording.CallersFile))
	must(err)
	callers, err := platform.ReadCallers(bytes.NewReader(raw))
	must(err)
	files, err := recording.Conversations(dir)
	must(err)
	var all []*recording.Conversation
	for _, file := range files {
		c, err := recording.Read(file)
		must(err)
		all = append(all, c)
	}
	owned := func(o *options) error { o.owner = callers[0].Principal; return nil }
	background := WithPlatform(func(cfg *platform.Config) { cfg.Env.Background = notes.Background })
	v, err := left(filepath.Join(dir, recording.VocabularyFile))
	must(err)
	tw := New(t, append([]Option{
		WithNow(notes.Began), owned, background, WithVocabulary(v),
		WithWorld(os.DirFS(dir), recording.SeedFile),
	}, with...)...)
	if notes.Background {
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- tw.Run(ctx) }()
		defer func() { stop(); must(<-done) }()
	}
	must(tw.Grant(t.Context(), callers))
	tokens := make(map[string]string)
	for _, c := range callers {
		tokens[c.Token] = tw.TokenOf(c.Principal)
	}
	sides := recording.Sides{Emulator: &recording.Server{
		URL: tw.URL, Client: &http.Client{Transport: transport{tw: tw}}, Now: tw.Now,
		Token: func(caller string) string { return tokens[caller] },
	}}
	found, err := sides.Play(t.Context(), all...)
	must(err)
	return found
}
