package platform_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/blob/blobtest"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform/models"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// byteStep is a call that writes, replaces or deletes bytes, and then reads what is to be
// there: nothing means that there are none.
type byteStep struct {
	do   func(context.Context) error
	read func(context.Context) (io.Reader, error)
	want []byte // nil: whatever it is, it is something
}

// bytePlaces are all that keep bytes of any size, with where they do and with the steps that
// change those of one twin.
var bytePlaces = map[string]struct {
	file  string
	steps func(context.Context, *testing.T, *platform.Platform) []byteStep
}{
	"planner files":         {"schedules/files/append.go", fileSteps},
	"exports to planners":   {"schedules/files/export.go", plannerExportSteps},
	"attachments":           {"forms/content.go", attachmentSteps},
	"exports of twins":      {"twins/export_run.go", exportSteps},
	"images of twins":       {"twins/image.go", imageSteps},
	"images of saved views": {"transform/models/viewimage.go", viewImageSteps},
}

// readers are files that use package blob and write nothing with it.
var blobReaders = []string{
	"forms/forms.go", "forms/kinds.go", "schedules/assembly.go", "schedules/files/files.go", "schedules/files/store.go",
	"schedules/internal/importing/batch.go", "schedules/internal/importing/memory.go", "schedules/internal/model/model.go", "schedules/kinds.go", "schedules/schedules.go",
	"transform/models/kinds.go", "transform/models/models.go", "twins/export.go", "twins/kinds.go", "twins/twins.go",
}

// noBytes reads what is not there.
func noBytes(context.Context) (io.Reader, error) { return strings.NewReader(""), nil }

// reading gives a reader with another type the type that all share.
func reading[R io.Reader](open func() (R, error)) func(context.Context) (io.Reader, error) {
	return func(context.Context) (io.Reader, error) {
		r, err := open()
		return r, err
	}
}

func fileSteps(ctx context.Context, t *testing.T, p *platform.Platform) []byteStep {
	sc := made[twinplatform.Result[schedules.Schedule]](t)(p.Schedules.CreateSchedule(ctx, schedules.NewSchedule{Name: "Plan", TwinID: newTwin(ctx, t, p)})).Value().ID
	content := slices.Concat(someBytes(300_000, 1), someBytes(200_000, 2))
	f := made[twinplatform.Record[files.File]](t)(files.In(p.Schedules.In(sc)).CreateFile(ctx, files.NewFile{Length: int64(len(content))})).Value.ID
	read := reading(func() (io.Reader, error) { return files.In(p.Schedules.In(sc)).OpenFile(ctx, f) })
	add := func(from, to int) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := files.In(p.Schedules.In(sc)).AppendFile(ctx, f, int64(from), bytes.NewReader(content[from:to]))
			return err
		}
	}
	return []byteStep{
		{add(0, 300_000), read, content[:300_000]},
		{add(300_000, 500_000), read, content},
		{func(ctx context.Context) error { return files.In(p.Schedules.In(sc)).DeleteFile(ctx, f) }, noBytes, []byte{}},
	}
}

func plannerExportSteps(ctx context.Context, t *testing.T, p *platform.Platform) []byteStep {
	sc := made[twinplatform.Result[schedules.Schedule]](t)(p.Schedules.CreateSchedule(ctx, schedules.NewSchedule{Name: "Plan", TwinID: newTwin(ctx, t, p)})).Value().ID
	plan := p.Schedules.In(sc)
	made[twinplatform.Result[schedules.Task]](t)(p.Schedules.CreateTask(ctx, sc, schedules.NewTask{ID: "dig", Name: "Dig", Type: schedules.Work}))
	return []byteStep{
		{func(ctx context.Context) error {
			_, err := exchange.In(plan).Export(ctx, exchange.PlannerExport{Format: exchange.FormatMSPDI, SynchronizerID: "weekly"})
			return err
		}, reading(func() (*exchange.ExportedFile, error) { return exchange.In(plan).OpenExport(ctx, "weekly") }), nil},
	}
}

func attachmentSteps(ctx context.Context, t *testing.T, p *platform.Platform) []byteStep {
	twin := newTwin(ctx, t, p)
	d := made[twinplatform.Result[forms.FormDefinition]](t)(p.Forms.CreateFormDefinition(ctx, forms.NewFormDefinition{DisplayName: "Diary", Type: "Diary", TwinID: twin, Status: forms.Approved})).Value().ID
	f := made[twinplatform.Result[forms.Form]](t)(p.Forms.CreateForm(ctx, forms.NewForm{FormID: d, TwinID: twin})).Value().ID
	a := made[twinplatform.Result[forms.Attachment]](t)(p.Forms.CreateAttachment(ctx, f, forms.NewAttachment{FileName: "a.txt"})).Value().ID
	put := func(content []byte) byteStep {
		return byteStep{func(ctx context.Context) error {
			_, err := p.Forms.WriteAttachment(ctx, f, a, bytes.NewReader(content))
			return err
		}, reading(func() (*forms.Content, error) { return p.Forms.OpenAttachment(ctx, f, a) }), content}
	}
	return []byteStep{
		put(someBytes(300_000, 1)), put(someBytes(7, 2)), put([]byte{}), put(someBytes(8, 3)),
		{func(ctx context.Context) error { return p.Forms.DeleteForm(ctx, f) }, noBytes, []byte{}},
	}
}

func exportSteps(ctx context.Context, t *testing.T, p *platform.Platform) []byteStep {
	newTwin(ctx, t, p)
	var url string
	return []byteStep{
		{func(ctx context.Context) error {
			res, err := p.Twins.CreateExport(ctx, twins.ExportRequest{OutputFormat: twins.CSV})
			if err == nil {
				url = string(res.Value().OutputURL)
			}
			return err
		}, reading(func() (*twins.File, error) {
			return p.Twins.OpenExport(ctx, strings.TrimPrefix(url, twins.ExportPath+"/"))
		}), nil},
	}
}

func imageSteps(ctx context.Context, t *testing.T, p *platform.Platform) []byteStep {
	twin := newTwin(ctx, t, p)
	var name string
	put := func(content []byte) byteStep {
		return byteStep{func(ctx context.Context) error {
			rec, err := p.Twins.SetTwinImage(ctx, twin, bytes.NewReader(content))
			name = rec.Value.LargeImageName
			return err
		}, reading(func() (*twins.File, error) { return p.Twins.OpenImage(ctx, name) }), content}
	}
	return []byteStep{
		put(picture()), put(append(picture(), "more"...)),
		{func(ctx context.Context) error { return p.Twins.DeleteTwinImage(ctx, twin) }, noBytes, []byte{}},
	}
}

func viewImageSteps(ctx context.Context, t *testing.T, p *platform.Platform) []byteStep {
	m := made[twinplatform.Result[models.Model]](t)(p.Transform.Models().CreateModel(ctx, models.NewModel{DisplayName: "Model", TwinID: newTwin(ctx, t, p)})).Value().ID
	v := made[twinplatform.Result[models.SavedView]](t)(p.Transform.Models().CreateSavedView(ctx, models.NewSavedView{ModelID: m, DisplayName: "View"})).Value().ID
	var name string
	put := func(content []byte) byteStep {
		return byteStep{func(ctx context.Context) error {
			img, err := p.Transform.Models().SetViewImage(ctx, v, bytes.NewReader(content))
			name = strings.TrimPrefix(img.URL, models.ViewImagePath+"/")
			return err
		}, reading(func() (*models.ViewImageFile, error) { return p.Transform.Models().OpenViewImage(ctx, name) }), content}
	}
	return []byteStep{
		put(picture()), put(append(picture(), "more"...)),
		{func(ctx context.Context) error { return p.Transform.Models().DeleteModel(ctx, m) }, noBytes, []byte{}},
	}
}

// someBytes are so many that are like no others.
func someBytes(n, salt int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*i>>3 ^ i ^ salt*31)
	}
	return b
}

func TestBytesOfEveryPlaceAreOutsideTheStoreUntilTheyAreDeleted(t *testing.T) {
	t.Parallel()
	for name, place := range bytePlaces {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, o := memory.New(), new(blobtest.Outside)
			p := over(t, store, platform.Config{Env: twinplatform.Env{Bytes: o}})
			ctx := as(t, "ada", twinplatform.AccountAdministrator)
			for i, step := range place.steps(ctx, t, p) {
				if err := step.do(ctx); err != nil {
					t.Fatalf("step %d: %v", i, twinplatform.Cause(err))
				}
				r, err := step.read(ctx)
				if err != nil {
					t.Fatalf("behind step %d: %v", i, err)
				}
				got, err := io.ReadAll(r)
				if step.want == nil && len(got) > 0 {
					step.want = got
				}
				if !bytes.Equal(got, step.want) || err != nil {
					t.Errorf("behind step %d there are %d bytes, %v; want %d", i, len(got), err, len(step.want))
				}
				if there := o.Bytes(account); there != len(step.want) {
					t.Errorf("behind step %d the account has %d bytes outside, want %d", i, there, len(step.want))
				}
				if _, _, inside := blobtest.Held(t, store); inside > 0 {
					t.Errorf("behind step %d there are %d bytes in the store", i, inside)
				}
				o.WantNoneLost(t, store)
			}
		})
	}
}

func TestFullQuotaIsReportedEverywhereAndLeavesNothing(t *testing.T) {
	t.Parallel()
	full := &twinplatform.Error{Kind: twinplatform.Conflict, Code: "AccountStorageFull", Message: "full"}
	for name, place := range bytePlaces {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, o := memory.New(), new(blobtest.Outside)
			p := over(t, store, platform.Config{Env: twinplatform.Env{Bytes: o}})
			ctx := as(t, "ada", twinplatform.AccountAdministrator)
			steps := place.steps(ctx, t, p)
			o.FailAfter(0, full)
			if err := steps[0].do(ctx); name != "exports of twins" && twinplatform.AsError(err).Code != full.Code {
				t.Errorf("with a full account: %v", err)
			}
			if o.FailAfter(0, nil); o.Names() != nil {
				t.Errorf("%v are left", o.Names())
			}
		})
	}
}

// TestNoCrashLeavesBytesOfAnyPlace ends a process at each call of the store and of the place
// outside, and lets another one continue.
func TestNoCrashLeavesBytesOfAnyPlace(t *testing.T) {
	t.Parallel()
	died := errors.New("died")
	for name, place := range bytePlaces {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n := range 16 {
				synctest.Test(t, func(t *testing.T) {
					kept, o := memory.New(), new(blobtest.Outside)
					store := storetest.Alone(kept)
					patience := 2 * time.Second
					if n%8 == 0 { // whether a process is dead is not known where several are at a store
						store, patience = storetest.Over(kept), blob.DraftTime+time.Hour
					}
					env := twinplatform.Env{Bytes: o}
					p := made[*platform.Platform](t)(platform.New(store, platform.Config{Env: env}))
					ctx := as(t, "ada", twinplatform.AccountAdministrator)
					steps := place.steps(ctx, t, p)
					switch n % 4 {
					case 0:
						o.FailAfter(n/4, died)
					case 1:
						store.LoseAfter(n/2, storage.ErrUnknown)
					default:
						store.FailAfter(n/2, died)
					}
					for _, step := range steps {
						if step.do(ctx) != nil {
							break
						}
					}
					o.FailAfter(0, nil)
					next := made[storage.Store](t)(memory.Fork(kept))
					p = over(t, next, platform.Config{Env: env})
					run, stop := context.WithCancel(t.Context())
					var ended sync.WaitGroup
					for _, area := range []interface{ Run(context.Context) error }{p.Twins, p.Schedules, p.Forms, p.Transform} {
						ended.Go(func() {
							if err := area.Run(run); err != nil {
								t.Error(err)
							}
						})
					}
					time.Sleep(patience)
					o.WantNoneLost(t, next)
					stop()
					ended.Wait()
				})
			}
		})
	}
}

// TestEveryPlaceThatKeepsBytesIsKnown finds the users of package blob, and every stored
// member that has bytes of its own.
func TestEveryPlaceThatKeepsBytesIsKnown(t *testing.T) {
	t.Parallel()
	known := slices.Clone(blobReaders)
	for _, place := range bytePlaces {
		known = append(known, place.file)
	}
	members := []string{
		"httpapi/console/page_4d.go",             // of a page's answer, bounded there; nothing is stored
		"internal/blob/blob.go",                  // in the store where nothing is outside
		"internal/jobs/journal.go",               // what an operation has to do
		"schedules/internal/importing/memory.go", // what imports were given, of 64 rows at most
		"transform/models/element.go",            // geometry, at most models.MaxGeometryBytes an element
		"transform/models/element_new.go",        // as it is sent
	}
	var users, keepers []string
	root := ".."
	list, err := exec.CommandContext(t.Context(), "git", "-C", root, "ls-files", "*.go").Output()
	if err != nil {
		t.Skipf("without git no list of files: %v", err)
	}
	for file := range strings.Lines(string(list)) {
		file = strings.TrimSpace(file)
		if strings.HasSuffix(file, "_test.go") || strings.Contains(file, "blobtest/") {
			continue
		}
		source, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(source), `/internal/blob"`) {
			users = append(users, file)
		}
		for line := range strings.Lines(string(source)) {
			if strings.Contains(line, "[]byte") && strings.Contains(line, "`json:\"") && !slices.Contains(keepers, file) {
				keepers = append(keepers, file)
			}
		}
	}
	slices.Sort(known)
	slices.Sort(users)
	slices.Sort(keepers)
	if diff := cmp.Diff(known, users); diff != "" {
		t.Errorf("files that use package blob (-known +found): a new one has a row in bytePlaces\n%s", diff)
	}
	if diff := cmp.Diff(members, keepers); diff != "" {
		t.Errorf("files with stored members of bytes (-known +found): bytes of any size go through package blob\n%s", diff)
	}
}
