package objectstore_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// fill puts objects into a container, without a request for each.
func (w *world) fill(t *testing.T, n *node, container string, files int) {
	t.Helper()
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			for j := i; j < files; j += 4 {
				d, err := n.bucket.Create(t.Context(), container, fmt.Sprint("f", j))
				if err == nil {
					_, _ = fmt.Fprint(d, "x")
					err = d.Commit(t.Context())
					d.Discard()
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

// A removal goes in pages of a thousand, and from where a crash or an error left it.
func TestRemovalIsResumed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.node(w.config(), filestore.Config{})
	const files = 2_100
	w.fill(t, n, "c", files)
	if bytes, got, err := n.bucket.Measure(t.Context(), "c"); bytes != files || got != files || err != nil {
		t.Fatalf("%d bytes in %d files, %v", bytes, got, err)
	}
	w.made()
	pages := 0
	w.meddling(func(r *http.Request) *http.Response {
		if r.URL.Query().Has("delete") {
			if pages++; pages == 2 {
				return answer(http.StatusForbidden, "AccessDenied")
			}
		}
		return nil
	})
	if err := n.bucket.RemoveAll(t.Context(), "c"); err == nil {
		t.Error("a removal that failed half way returns no error")
	}
	if _, left, err := n.bucket.Measure(t.Context(), "c"); left != files-1_000 || err != nil {
		t.Errorf("%d files are left, %v", left, err)
	}
	if err := n.bucket.RemoveAll(t.Context(), "c"); err != nil {
		t.Error(err)
	}
	if got := w.objects(); len(got) > 0 {
		t.Errorf("%d objects are left", len(got))
	}
}

// A list that ends early is not taken for all there is.
func TestListThatIsCutOffFails(t *testing.T) {
	t.Parallel()
	for name, cut := range map[string]func(cancel func()) *http.Response{
		"an error":          func(func()) *http.Response { return answer(http.StatusForbidden, "AccessDenied") },
		"no waiting client": func(cancel func()) *http.Response { cancel(); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			n := w.node(w.config(), filestore.Config{})
			w.fill(t, n, "c", 1_100)
			for what, do := range map[string]func(context.Context) error{
				"measured": func(ctx context.Context) error { _, _, err := n.bucket.Measure(ctx, "c"); return err },
				"removed":  func(ctx context.Context) error { return n.bucket.RemoveAll(ctx, "c") },
			} {
				w.fill(t, n, "c", 1_100)
				ctx, cancel := context.WithCancel(t.Context())
				w.meddling(func(r *http.Request) *http.Response {
					if r.URL.Query().Has("continuation-token") {
						return cut(cancel)
					}
					return nil
				})
				if do(ctx) == nil {
					t.Errorf("a part of it was %s, and is taken for all", what)
				}
				w.meddling(nil)
				cancel()
			}
		})
	}
}

// A container that is removed also ends what is being sent to it, by nodes that live and
// by those that died.
func TestRemovalEndsUploads(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.node(w.config(), filestore.Config{}), w.node(w.config(), filestore.Config{})
	alive := n.begin("c", "f")
	n.begin("c", "dead")
	n.begin("cc", "f")
	if err := other.bucket.RemoveAll(t.Context(), "c"); err != nil || len(w.uploads()) != 1 {
		t.Errorf("uploads are %q, %v", w.uploads(), err)
	}
	err := alive.Close()
	if err == nil {
		err = alive.Commit(t.Context())
	}
	alive.Discard()
	if err == nil || len(w.objects()) > 0 {
		t.Errorf("a file appeared in what is removed: %q", w.objects())
	}
}

// What has come since a removal began is someone else's: another node has finished it,
// and the container is in use again.
func TestRemovalLeavesWhatCameLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, other := w.node(w.config(), filestore.Config{}), w.node(w.config(), filestore.Config{})
	w.fill(t, n, "c", 3)
	w.advance(100 * time.Hour) // the clocks of nodes and object store do not agree
	w.meddling(func(r *http.Request) *http.Response {
		if r.URL.Query().Has("list-type") {
			w.meddling(nil)
			if err := other.bucket.RemoveAll(context.Background(), "c"); err != nil {
				t.Error(err)
			}
			w.advance(10 * time.Second)
			w.fill(t, other, "c", 2)
			other.begin("c", "large")
		}
		return nil
	})
	if err := n.bucket.RemoveAll(t.Context(), "c"); err != nil {
		t.Error(err)
	}
	if got := w.objects(); len(got) != 2 || len(w.uploads()) != 1 {
		t.Errorf("there are %q, %q", got, w.uploads())
	}
}

// A node that runs knows after a while what containers of an account take up that it was
// never asked for, forgets those that others have removed, and sweeps.
func TestRunCountsAndSweeps(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		limits := filestore.Config{MaxAccount: 10, MaxFile: 10}
		other := w.node(w.config(), limits)
		id, address := other.data()
		other.want(201, "PUT", address, "f", "1234567890")
		other.begin("gone", "dead")

		n := w.node(w.config(), limits)
		mineID, mine := n.data()
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() {
			if err := n.files.Run(ctx); err != nil {
				t.Error(err)
			}
		})
		time.Sleep(time.Minute)
		n.want(409, "PUT", mine, "f", "x")
		if len(w.uploads()) != 1 {
			t.Errorf("uploads are %q", w.uploads())
		}
		if err := other.DeleteRealityData(t.Context(), id); err != nil {
			t.Error(err)
		}
		time.Sleep(3 * time.Hour)
		a, err := n.WriteAccess(t.Context(), mineID, "")
		if err != nil {
			t.Fatal(err)
		}
		n.want(201, "PUT", a.URL, "f", "1234567890")
		if len(w.uploads()) != 0 {
			t.Errorf("uploads are %q", w.uploads())
		}
		stop()
		running.Wait()
		if strings.Contains(w.log.String(), "failed") {
			t.Error(w.log.String())
		}
	})
}

// Blocks that became no file go a week after the last one of their file, also when the node
// that took them is gone.
func TestBlocksThatBecomeNoFileGoAfterAWeek(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		gone := w.node(w.config(), filestore.Config{})
		id, address := gone.data()
		stage := func(file, id string) {
			t.Helper()
			req := httptest.NewRequestWithContext(t.Context(), http.MethodPut, strings.Replace(address, "?", "/"+file+"?", 1)+"&comp=block&blockid="+id, strings.NewReader("block"))
			rec := httptest.NewRecorder()
			gone.files.ServeHTTP(rec, req)
			if rec.Code != 201 {
				t.Fatal(rec.Code, rec.Body)
			}
		}
		stage("old", "MDAwMQ==")
		stage("young", "MDAwMQ==")
		gone.want(201, "PUT", address, "file", "x")

		n := w.node(w.config(), filestore.Config{})
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() {
			if err := n.files.Run(ctx); err != nil {
				t.Error(err)
			}
		})
		time.Sleep(6 * 24 * time.Hour)
		if got := w.objects(); len(got) != 3 {
			t.Errorf("after six days there are %q", got)
		}
		a, err := gone.WriteAccess(t.Context(), id, "")
		if err != nil {
			t.Fatal(err)
		}
		address = a.URL
		stage("young", "MDAwMg==")
		time.Sleep(25*time.Hour + time.Minute)
		if got := w.objects(); len(got) != 3 {
			t.Errorf("after a week there are %q", got)
		}
		time.Sleep(7 * 24 * time.Hour)
		if got := w.objects(); len(got) != 1 {
			t.Errorf("after two weeks there are %q", got)
		}
		stop()
		running.Wait()
		if strings.Contains(w.log.String(), "failed") {
			t.Error(w.log.String())
		}
	})
}

// A level of a bucket comes in pages of a thousand, whose objects are before their folders.
func TestLevelOfManyFilesAndFoldersIsInOrder(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	b := f.open(f.config())
	var want []string
	for i := range 1_500 {
		name := fmt.Sprintf("%04d", i)
		if i%3 == 0 || i > 1_200 {
			name += "/"
		}
		want = append(want, name)
		d, err := b.Create(t.Context(), "c", strings.Replace(name, "/", "/file", 1))
		if err == nil {
			err = errors.Join(d.Close(), d.Commit(t.Context()))
			d.Discard()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, from := range []int{0, 1, 700, 1_000, 1_499} {
		var got []string
		after := ""
		if from > 0 {
			after = want[from-1]
		}
		for e, err := range b.List(t.Context(), "c", filestore.Listing{After: after, Level: true}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, e.Name)
		}
		if diff := cmp.Diff(want[from:], got); diff != "" {
			t.Errorf("behind %q: %s", after, diff)
		}
	}
}
