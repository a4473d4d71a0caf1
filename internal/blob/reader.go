package blob

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"sync"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Reader reads bytes piece by piece, each found in a separate transaction.
type Reader struct {
	ctx   context.Context
	db    *records.DB
	scope records.Scope
	size  int64
	gone  error

	mu     sync.Mutex // against the end of ctx; guards what follows
	at     int64      // how many bytes are read
	first  *Piece     // that Find has found
	next   int        // the piece in the store to read
	left   []byte     // of the piece before
	object io.ReadCloser
	until  int64       // where the object ends
	stop   func() bool // of closing it with ctx
}

// NewReader returns a reader of so many bytes, while ctx lasts. Reading fails with
// gone when they are erased meanwhile.
func NewReader(ctx context.Context, db *records.DB, s records.Scope, size int64, gone error) *Reader {
	return &Reader{ctx: ctx, db: db, scope: s, size: size, gone: gone}
}

// Find finds the first bytes, in the transaction that has found whose they are.
func (r *Reader) Find(tx records.Reading) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at == r.size {
		return nil
	}
	piece, err := r.pieceIn(tx)
	if err == nil {
		r.first = &piece
	}
	return err
}

// Begin opens what Find has found, behind the transaction. It is for those who have to know
// that there is something before they read.
func (r *Reader) Begin() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.first == nil {
		return nil
	}
	return r.find()
}

// Read implements io.Reader.
func (r *Reader) Read(p []byte) (n int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for n == 0 && len(p) > 0 {
		switch {
		case r.at >= r.size:
			return 0, io.EOF
		case r.object != nil:
			n, err = r.readObject(p)
		case len(r.left) > 0:
			n = copy(p, r.left)
			r.left = r.left[n:]
		default:
			err = r.find()
		}
		if r.at += int64(n); err != nil {
			return n, err
		}
	}
	return n, nil
}

// readObject reads from the object that is open, and closes it behind its last byte.
func (r *Reader) readObject(p []byte) (n int, err error) {
	n, err = r.object.Read(p[:min(int64(len(p)), r.until-r.at)])
	if r.at+int64(n) == r.until {
		return n, r.close()
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// find finds the next bytes.
func (r *Reader) find() (err error) {
	var piece Piece
	if r.first != nil {
		piece, r.first = *r.first, nil
	} else if piece, err = r.piece(); err != nil {
		return err
	}
	if piece.Object == nil {
		r.left = piece.Bytes
		r.next++
		return nil
	}
	object, err := open(r.ctx, r.db, &piece, r.at)
	if errors.Is(err, fs.ErrNotExist) {
		object, err = r.reopen(&piece)
	}
	if err != nil {
		return err
	}
	r.object, r.until = object, min(piece.end(), r.size)
	r.stop = context.AfterFunc(r.ctx, func() { _ = r.Close() })
	return nil
}

// reopen opens the object that has taken the place of one that is gone: it was written
// again with what came behind it.
func (r *Reader) reopen(piece *Piece) (io.ReadCloser, error) {
	missing := *piece.Object
	found, err := r.piece()
	if err != nil {
		return nil, err
	}
	if *piece = found; piece.Object == nil || *piece.Object == missing {
		return nil, r.gone
	}
	return open(r.ctx, r.db, piece, r.at)
}

// piece finds the piece that has the next byte.
func (r *Reader) piece() (found Piece, err error) {
	err = r.db.View(r.ctx, func(v *records.View) (err error) {
		found, err = r.pieceIn(v)
		return err
	})
	return found, err
}

func (r *Reader) pieceIn(tx records.Reading) (Piece, error) {
	inside, err := Pieces.Lookup(tx, r.scope, Place(r.next))
	if err != nil {
		return Piece{}, err
	}
	if inside != nil {
		return *inside, nil
	}
	for p, err := range objectsOf(tx, r.scope) {
		if err != nil {
			return Piece{}, err
		}
		if p.start() <= r.at && r.at < p.end() {
			return *p, nil
		}
	}
	return Piece{}, r.gone
}

// Close ends the reading. It is for those whose ctx outlives it.
func (r *Reader) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.close()
}

func (r *Reader) close() (err error) {
	if r.object != nil {
		r.stop()
		err = r.object.Close()
		r.object = nil
	}
	return err
}
