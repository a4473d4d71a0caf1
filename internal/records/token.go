package records

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// keys are what a store alone knows: the secret that authenticates its tokens,
// and a mark that tells its versions from those of other stores.
type keys struct {
	secret []byte
	mark   string
}

const (
	secretKey  = "platform/secret"
	formatKey  = "platform/format"
	formatNow  = "1"
	secretSize = 32
)

// loadKeys reads the store's keys, and makes them on its first use.
func (db *DB) loadKeys(ctx context.Context) (*keys, error) {
	if k := db.keys.Load(); k != nil {
		return k, nil
	}
	var secret []byte
	read := func(r storage.Reader) (err error) {
		if secret, err = r.Get(secretKey); err != nil {
			return err
		}
		format, err := r.Get(formatKey)
		if err != nil {
			return err
		}
		if string(format) != formatNow || len(secret) != secretSize {
			return fmt.Errorf("records: the store has format %q, this module reads %q", format, formatNow)
		}
		return nil
	}
	err := db.store.View(ctx, read)
	if errors.Is(err, storage.ErrNotFound) {
		fresh := make([]byte, secretSize)
		rand.Read(fresh)
		err = db.store.Update(ctx, func(w storage.Writer) error {
			if err := read(w); !errors.Is(err, storage.ErrNotFound) {
				return err // somebody else was first
			}
			secret = fresh
			if err := w.Put(formatKey, []byte(formatNow)); err != nil {
				return err
			}
			return w.Put(secretKey, fresh)
		})
	}
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(secret)
	db.keys.CompareAndSwap(nil, &keys{secret: secret, mark: hex.EncodeToString(sum[:3]) + "."})
	return db.keys.Load(), nil
}

// tokenKind says what a token stands for.
type tokenKind byte

const (
	listPage  tokenKind = 'l' // goes on with a list behind an id
	deltaPage tokenKind = 'd' // goes on with a delta behind a revision
	deltaFrom tokenKind = 'f' // lists what changed after a revision
)

// token is a place in a list. Clients get it sealed.
type token struct {
	kind tokenKind
	// since is the revision at which the listing began; a delta lists what
	// was written later.
	since uint64
	// left is the revision after which a delta tells of what left the list. It
	// is before since when records that left were written again while the delta
	// before was paged through, and so are left to this one.
	left uint64
	// until is the revision at which a delta listing began.
	until uint64
	// at is the revision of the last change on the page before.
	at uint64
	// top is the page size in force.
	top int
	// after is the place behind the last record on the page before.
	after string
}

const macSize = 16

// seal writes a token for the list that is named by bind. It is deterministic,
// so that equal answers carry equal tokens.
func (k *keys) seal(t token, bind string) string {
	b := []byte{byte(t.kind)}
	b = binary.AppendUvarint(b, t.since)
	b = binary.AppendUvarint(b, t.left)
	b = binary.AppendUvarint(b, t.until)
	b = binary.AppendUvarint(b, t.at)
	b = binary.AppendUvarint(b, uint64(t.top))
	b = append(b, t.after...)
	return base64.RawURLEncoding.EncodeToString(append(b, k.mac(b, bind)...))
}

// unseal reads a token that was sealed for the same list.
func (k *keys) unseal(s, bind string) (t token, ok bool) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || len(b) < 1+5+macSize {
		return t, false
	}
	b, mac := b[:len(b)-macSize], b[len(b)-macSize:]
	if !hmac.Equal(mac, k.mac(b, bind)) {
		return t, false
	}
	t.kind, b = tokenKind(b[0]), b[1:]
	var top uint64
	for _, n := range []*uint64{&t.since, &t.left, &t.until, &t.at, &top} {
		v, size := binary.Uvarint(b)
		if size <= 0 {
			return t, false
		}
		*n, b = v, b[size:]
	}
	t.top, t.after = int(top), string(b)
	return t, true
}

func (k *keys) mac(b []byte, bind string) []byte {
	h := hmac.New(sha256.New, k.secret)
	h.Write(binary.AppendUvarint(nil, uint64(len(bind))))
	h.Write([]byte(bind))
	h.Write(b)
	return h.Sum(nil)[:macSize]
}
