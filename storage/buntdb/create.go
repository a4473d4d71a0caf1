package buntdb

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seed-933f9a09/twinplatform/storage/internal/disk"
	"github.com/seed-933f9a09/twinplatform/storage/internal/journal"
	"github.com/seed-933f9a09/twinplatform/storage/internal/txn"
)

// create writes a journal that holds tree under a name and flushes it.
func create(ctx context.Context, dsk disk.FS, name string, tree *txn.Tree) (*file, error) {
	f, err := dsk.Create(name)
	if err != nil {
		return nil, err
	}
	out := &file{disk: f}
	if err := f.Lock(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	out.pos, err = journal.Dump(ctx, &paced{file: f}, journal.Journal, txn.All(tree))
	if err == nil {
		err = out.sync()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close(), dsk.Remove(name))
	}
	return out, nil
}

// paceBytes is how much of a new journal may wait for the disk at a time.
const paceBytes = 1 << 20

// paced writes a file from its beginning and flushes it now and then, so that
// the flush of a small transaction elsewhere never queues behind all of it.
type paced struct {
	file    disk.File
	at      int64
	waiting int
}

// Write implements io.Writer.
func (p *paced) Write(data []byte) (int, error) {
	n, err := p.file.WriteAt(data, p.at)
	p.at += int64(n)
	p.waiting += n
	if err != nil || p.waiting < paceBytes {
		return n, err
	}
	p.waiting = 0
	return n, p.file.Sync()
}

// copyTail copies the transactions between two places of another journal and
// returns the second.
func (f *file) copyTail(old *file, from journal.Position, to int64) (journal.Position, error) {
	size := to - from.Offset
	r := journal.Resume(io.NewSectionReader(old.disk, from.Offset, size), size, from)
	b := newBatch()
	for {
		records, err := r.Next()
		if err != nil && !errors.Is(err, io.EOF) {
			return from, fmt.Errorf("read back: %w", err)
		}
		if len(b.frames) >= chunkBytes || (err != nil && len(b.frames) > 0) {
			if err := f.write(b.frames, b.ends); err != nil {
				return from, err
			}
			b.frames, b.ends = b.frames[:0], b.ends[:0]
		}
		if err != nil {
			return r.Position(), nil
		}
		for _, rec := range records {
			if rec.Delete {
				b.frames = journal.AppendDelete(b.frames, string(rec.Key))
			} else {
				b.frames = journal.AppendSet(b.frames, string(rec.Key), rec.Value)
			}
		}
		b.mark()
	}
}
