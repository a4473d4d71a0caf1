package schedules_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

var (
	noFile      = refusal{kind: twinplatform.NotFound, code: "FileNotFound", target: "fileId"}
	wrongOffset = refusal{kind: twinplatform.Conflict, code: "UploadOffsetMismatch", target: "Upload-Offset"}
	quota       = refusal{kind: twinplatform.Conflict, code: "FileQuotaExceeded"}
)

// file begins the upload of a file of so many bytes.
func (p *plan) file(length int) (id string) {
	p.Helper()
	rec, err := files.In(p.in()).CreateFile(p.ctx, files.NewFile{Length: int64(length)})
	if err != nil {
		p.Fatal(err)
	}
	return rec.Value.ID
}

// upload is a file with bytes.
func (p *plan) upload(content []byte) (id string) {
	p.Helper()
	id = p.file(len(content))
	if _, err := files.In(p.in()).AppendFile(p.ctx, id, 0, bytes.NewReader(content)); err != nil {
		p.Fatal(err)
	}
	return id
}

func (p *plan) bytesOf(fileID string) []byte {
	p.Helper()
	r, err := files.In(p.in()).OpenFile(p.ctx, fileID)
	if err != nil {
		p.Fatal(err)
	}
	all, err := io.ReadAll(r)
	if err != nil {
		p.Fatal(err)
	}
	return all
}

// noise is so many bytes that compress badly and are the same in every run.
func noise(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*i>>3 ^ i)
	}
	return b
}

// covers: operations files.update
func TestFileHasTheBytesOfItsParts(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		content := noise(3<<20 + 17)
		for seed := range testsize.Of[uint64](6, 2) {
			rnd := rand.New(rand.NewPCG(seed, 1))
			id, offset := p.file(len(content)), 0
			for offset < len(content) {
				n := min(1+rnd.IntN(1<<(4+3*rnd.IntN(6))), len(content)-offset)
				rec, err := files.In(p.in()).AppendFile(p.ctx, id, int64(offset), bytes.NewReader(content[offset:offset+n]))
				if err != nil {
					p.Fatal(err)
				}
				if offset += n; rec.Value.Offset != int64(offset) || rec.Value.Whole() != (offset == len(content)) {
					p.Fatalf("with %d bytes the file is %+v", offset, rec.Value)
				}
				if rnd.IntN(4) == 0 { // the next process continues
					p.svc = newService(p.store, schedules.Config{Env: twinplatform.Env{Now: func() time.Time { return morning }}})
				}
				if offset > 1<<19 && seed > 0 {
					content = content[:offset] // the rest is for the first
					break
				}
			}
			if !bytes.Equal(p.bytesOf(id), content[:offset]) {
				p.Fatalf("seed %d: the file has other bytes than were sent", seed)
			}
		}
	})
}

// covers: Files and imports: rule an upload goes on where it was cut off
// covers: operations files.get
func TestUploadResumesWhereItWasCutOff(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	content := noise(2 << 20)
	id := p.file(len(content))
	cut := errors.New("cut")
	ctx, cancel := context.WithCancel(p.ctx)
	const came = 1<<20 + 12_345
	_, err := files.In(p.in()).AppendFile(ctx, id, 0, io.MultiReader(bytes.NewReader(content[:came]), readerFunc(func([]byte) (int, error) {
		cancel() // as a server does when its client is gone
		return 0, cut
	})))
	if !errors.Is(err, cut) {
		t.Fatalf("the cut upload failed with %v", err)
	}
	rec, err := files.In(p.in()).File(p.ctx, id)
	if err != nil || rec.Value.Offset != came {
		t.Fatalf("after the cut the file is %+v, %v", rec.Value, err)
	}
	if _, err := files.In(p.in()).AppendFile(p.ctx, id, came, iotest.HalfReader(bytes.NewReader(content[came:]))); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(p.bytesOf(id), content) {
		t.Error("the file has other bytes than were sent")
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

func TestOfTwoWhoSendTheSamePartOneIsRefused(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		content := noise(600_000)
		id := p.file(len(content))
		for offset := 0; offset < len(content); {
			n := min(200_000, len(content)-offset)
			var took, refused int
			var mu sync.Mutex
			var senders sync.WaitGroup
			for range 4 {
				senders.Go(func() {
					_, err := files.In(p.in()).AppendFile(p.ctx, id, int64(offset), bytes.NewReader(content[offset:offset+n]))
					mu.Lock()
					defer mu.Unlock()
					if err == nil {
						took++
						return
					}
					refused++
					wrongOffset.check(p, err)
				})
			}
			senders.Wait()
			if took != 1 || refused != 3 {
				p.Fatalf("at %d the same part was taken %d times and refused %d times", offset, took, refused)
			}
			offset += n
		}
		if !bytes.Equal(p.bytesOf(id), content) {
			p.Error("the file has other bytes than were sent")
		}
	})
}

// covers: Files and imports
// covers: operations files.create files.options
func TestFileOnTheWire(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	rec, err := files.In(p.in()).CreateFile(p.ctx, files.NewFile{Length: 5, Metadata: "filename cGxhbi54ZXI="})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"createdAt":"2026-03-02T08:00:00Z","expiresAt":"2026-03-03T08:00:00Z","id":"` + rec.Value.ID +
		`","length":5,"metadata":"filename cGxhbi54ZXI=","offset":0}`
	if diff := cmp.Diff(want, string(rec.JSON)); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
}

// covers: Files and imports: error FileNotFound
// covers: Files and imports: error UploadOffsetMismatch
func TestFileRefusals(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.schedule(schedules.NewSchedule{ID: "old", Name: "n", TwinID: "twin", Type: schedules.V65})
	p.schedule(schedules.NewSchedule{ID: "other", Name: "n", TwinID: "twin"})
	id := p.file(10)
	if _, err := files.In(p.in()).AppendFile(p.ctx, id, 0, strings.NewReader("four")); err != nil {
		t.Fatal(err)
	}
	before := storetest.Keys(t, p.store)
	create := func(scheduleID string, n files.NewFile) error {
		_, err := files.In(p.svc.In(scheduleID)).CreateFile(p.ctx, n)
		return err
	}
	add := func(scheduleID, fileID string, offset int64, content string) error {
		_, err := files.In(p.svc.In(scheduleID)).AppendFile(p.ctx, fileID, offset, strings.NewReader(content))
		return err
	}
	for name, c := range map[string]struct {
		err  error
		want refusal
	}{
		"without a length":       {create(p.id, files.NewFile{}), invalid("InvalidValue Upload-Length")},
		"too long":               {create(p.id, files.NewFile{Length: files.MaxFileBytes + 1, Metadata: strings.Repeat("x", files.MaxFileMetadata+1)}), invalid("InvalidValue Upload-Length", "InvalidValue Upload-Metadata")},
		"in a v6.5 schedule":     {create("old", files.NewFile{Length: 1}), invalid("InvalidParameter scheduleId")},
		"in no schedule":         {create("missing", files.NewFile{Length: 1}), noSchedule},
		"to no schedule":         {add("missing", id, 4, "x"), noSchedule},
		"to no file":             {add(p.id, "missing", 0, "x"), noFile},
		"to that of another":     {add("other", id, 4, "x"), noFile},
		"behind a gap":           {add(p.id, id, 5, "x"), wrongOffset},
		"again":                  {add(p.id, id, 0, "four"), wrongOffset},
		"at less than nothing":   {add(p.id, id, -1, "x"), invalid("InvalidValue Upload-Offset")},
		"nothing at a wrong one": {add(p.id, id, 9, ""), wrongOffset},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.want.check(t, c.err)
		})
	}
	if after := storetest.Keys(t, p.store); after != before {
		t.Errorf("refusals took the store from %d to %d keys", before, after)
	}
	_, err := files.In(p.svc.In("other")).File(p.ctx, id)
	noFile.check(t, err)
	invalid("InvalidValue Upload-Offset").check(t, add(p.id, id, 4, "and far too many"))
	if got := string(p.bytesOf(id)); got != "fourand fa" {
		t.Errorf("of too many bytes the file has %q", got)
	}
}

// covers: Files and imports: error FileQuotaExceeded
// covers: operations files.delete
func TestFilesHaveAQuota(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	for range files.MaxFilesBytes / files.MaxFileBytes {
		p.file(files.MaxFileBytes)
	}
	_, err := files.In(p.in()).CreateFile(p.ctx, files.NewFile{Length: 1})
	quota.check(t, err)
	p.schedule(schedules.NewSchedule{ID: "other", Name: "n", TwinID: "twin"})
	p.id = "other"
	var last string
	for range files.MaxFiles {
		last = p.file(1)
	}
	_, err = files.In(p.in()).CreateFile(p.ctx, files.NewFile{Length: 1})
	quota.check(t, err)
	if err := files.In(p.in()).DeleteFile(p.ctx, last); err != nil {
		t.Fatal(err)
	}
	noFile.check(t, files.In(p.in()).DeleteFile(p.ctx, last))
	p.file(1)
}

// covers: Files and imports: rule a file is forgotten a day after it was last used
func TestFilesAreForgotten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newPlan(t, memory.New(), schedules.Config{Env: twinplatform.Env{Now: time.Now}})
		ctx, stop := context.WithCancel(p.ctx)
		done := make(chan error, 1)
		go func() { done <- p.svc.Run(ctx) }()
		time.Sleep(time.Minute) // until what Run does at its beginning is done
		p.schedule(schedules.NewSchedule{ID: "gone", Name: "n", TwinID: "twin"})
		if err := files.In(p.in()).DeleteFile(p.ctx, p.file(1)); err != nil { // which leaves the counters
			t.Fatal(err)
		}
		before := storetest.Keys(t, p.store)
		whole, begun := p.upload(noise(600_000)), p.file(1000)
		if _, err := files.In(p.svc.In("gone")).CreateFile(p.ctx, files.NewFile{Length: 9}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(files.FileTime - time.Hour)
		if _, err := files.In(p.in()).AppendFile(p.ctx, begun, 0, strings.NewReader("x")); err != nil { // which keeps it
			t.Fatal(err)
		}
		time.Sleep(2 * time.Hour)
		_, err := files.In(p.in()).File(p.ctx, whole)
		noFile.check(t, err)
		if _, err := files.In(p.in()).File(p.ctx, begun); err != nil {
			t.Error(err)
		}
		time.Sleep(2 * files.FileTime)
		_, err = files.In(p.in()).AppendFile(p.ctx, begun, 1, strings.NewReader("x"))
		noFile.check(t, err)
		if after := storetest.Keys(t, p.store); after > before {
			t.Errorf("with all files forgotten the store has %d keys, and had %d before", after, before)
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestFilesAreForThoseWhoMayModify(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	id := p.upload([]byte("plan"))
	for _, c := range []struct {
		rights []string
		want   refusal
	}{
		{nil, noSchedule},
		{[]string{schedules.PermissionRead}, forbidden},
	} {
		grants := places{"twin": c.rights}
		svc := newService(p.store, schedules.Config{Twins: grants, Env: twinplatform.Env{Authorizer: grants, Now: func() time.Time { return morning }}})
		ctx := twinplatform.WithPrincipal(p.ctx, someone)
		_, err := files.In(svc.In(p.id)).CreateFile(ctx, files.NewFile{Length: 4})
		c.want.check(t, err)
		_, err = files.In(svc.In(p.id)).AppendFile(ctx, id, 4, strings.NewReader(""))
		c.want.check(t, err)
		c.want.check(t, files.In(svc.In(p.id)).DeleteFile(ctx, id))
		if _, err = files.In(svc.In(p.id)).File(ctx, id); len(c.rights) == 0 {
			noSchedule.check(t, err)
		} else if err != nil {
			t.Errorf("who may read gets %v", err)
		}
	}
	if got := string(p.bytesOf(id)); got != "plan" {
		t.Errorf("the file has %q", got)
	}
}
