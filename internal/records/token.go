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
	"slices"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// keys are what a store alone knows: the secret that authenticates its tokens,
// the name of the history that it is in, and a mark that tells its versions from
// those of other stores and histories.
type keys struct {
	secret  []byte
	history string
	mark    string
}

const (
	secretKey  = "platform/secret"
	formatNow  = "3"
	secretSize = 32

	// FormatKey is where a store keeps in which format its records are.
	FormatKey = "platform/format"
)

// FormatError reports that a store has records in a format that this version does not
// read. Nothing in it was changed.
type FormatError struct {
	Format string // of the store
}

// Error implements error.
func (e *FormatError) Error() string {
	if cause := e.Unwrap(); cause != nil {
		return fmt.Sprintf("records: the store has format %s: %v", e.Format, cause)
	}
	return fmt.Sprintf("records: the store has format %q, this module reads %q", e.Format, formatNow)
}

// Unwrap is storage.ErrUnreleased for the format of stores from before the first release.
func (e *FormatError) Unwrap() error {
	if e.Format == "1" || e.Format == "2" {
		return storage.ErrUnreleased
	}
	return nil
}

// ReadFormat fails with a [*FormatError] where the value of FormatKey is of another format
// than this version reads.
func ReadFormat(value []byte) error {
	if string(value) != formatNow {
		return &FormatError{string(value)}
	}
	return nil
}

// errNoKeys says that a store was never used.
var errNoKeys = errors.New("records: the store has no keys yet")

// keysOf returns the keys of the store as a transaction reads it. They are as
// they were within a history and others in the next, under the very feet of
// the caller that uses the store, so every transaction asks.
func (db *DB) keysOf(r storage.Reader) (*keys, error) {
	history, err := storage.History(db.store, r)
	if err != nil {
		return nil, err
	}
	if k := db.keys.Load(); k != nil && k.history == history {
		return k, nil
	}
	secret, err := readSecret(r)
	if err != nil {
		return nil, err
	}
	k := newKeys(secret, history)
	db.keys.Store(k)
	return k, nil
}

func readSecret(r storage.Reader) ([]byte, error) {
	secret, err := r.Get(secretKey)
	if errors.Is(err, storage.ErrNotFound) {
		return nil, errNoKeys
	}
	if err != nil {
		return nil, err
	}
	format, err := r.Get(FormatKey)
	if err != nil && !errors.Is(err, storage.ErrNotFound) {
		return nil, err
	}
	if err := ReadFormat(format); err != nil {
		return nil, err
	}
	if len(secret) != secretSize {
		return nil, fmt.Errorf("records: the secret of the store has %d bytes, want %d", len(secret), secretSize)
	}
	return secret, nil
}

func newKeys(secret []byte, history string) *keys {
	sum := sha256.Sum256(append(slices.Clone(secret), history...))
	size := 3
	if history != "" {
		size = 6 // one among many of the same store
	}
	return &keys{secret: secret, history: history, mark: hex.EncodeToString(sum[:size]) + "."}
}

// makeKeys gives the store its keys when a transaction has failed for want of them,
// unless another transaction was first, and reports whether to run it again. Any other
// failure stays what it is.
func (db *DB) makeKeys(ctx context.Context, failure error) (again bool, err error) {
	if !errors.Is(failure, errNoKeys) {
		return false, failure
	}
	fresh := make([]byte, secretSize)
	rand.Read(fresh)
	err = db.store.Update(ctx, func(w storage.Writer) error {
		if _, err := readSecret(w); !errors.Is(err, errNoKeys) {
			return err
		}
		return errors.Join(w.Put(FormatKey, []byte(formatNow)), w.Put(secretKey, fresh))
	})
	return err == nil, err
}

// tokenKind says what a token stands for.
type tokenKind byte

const (
	listPage  tokenKind = 'l' // continues a list behind an id
	deltaPage tokenKind = 'd' // continues a delta behind a revision
	deltaFrom tokenKind = 'f' // lists what changed after a revision
)

// token is a place in a list. Clients get it sealed.
type token struct {
	kind tokenKind
	// since is the revision at which the listing began; a delta lists what
	// was written later.
	since uint64
	// left is the revision after which a delta reports what left the list. It
	// is before since when records that left were written again while the delta
	// before was paged through, and so are left to this one.
	left uint64
	// until is the revision at which a delta listing began.
	until uint64
	// at is the revision of the last change on the page before.
	at uint64
	// common is how often the part without a name was written since the list's own part
	// of a divided scope began, when the listing began.
	common uint64
	// top is the page size in force.
	top int
	// after is the place behind the last record on the page before.
	after string
}

const macSize = 16

// seal writes a token for the list that is named by bind. It is deterministic,
// so that equal answers carry equal tokens.
func (k *keys) seal(t token, bind string) string {
	var b []byte
	if k.history != "" {
		b = binary.AppendUvarint([]byte{ofHistory}, uint64(len(k.history)))
		b = append(b, k.history...)
	}
	if t.common != 0 {
		b = binary.AppendUvarint(append(b, isCommon), t.common)
	}
	b = append(b, byte(t.kind))
	b = binary.AppendUvarint(b, t.since)
	b = binary.AppendUvarint(b, t.left)
	b = binary.AppendUvarint(b, t.until)
	b = binary.AppendUvarint(b, t.at)
	b = binary.AppendUvarint(b, uint64(t.top))
	b = append(b, t.after...)
	return base64.RawURLEncoding.EncodeToString(append(b, k.mac(b, bind)...))
}

// ofHistory begins a token of any history but the first, and comes before that
// history's name. isCommon comes before token.common, where there is one.
const (
	ofHistory = 'h'
	isCommon  = 'b'
)

var (
	errToken = errors.New("records: not a token of this list")
	// errOtherHistory says that a token is of another history of the store.
	errOtherHistory = errors.New("records: token of another history")
)

// unseal reads a token that was sealed for the same list. The secret may have
// gone with the history that it was of, so a token that names no history of now
// is taken at its word: it opens nothing.
func (k *keys) unseal(s, bind string) (t token, err error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || len(b) < 1+5+macSize {
		return t, errToken
	}
	sealed, mac := b[:len(b)-macSize], b[len(b)-macSize:]
	b, history := cutHistory(sealed)
	t, ok := readToken(b)
	switch {
	case !ok, history == k.history && !hmac.Equal(mac, k.mac(sealed, bind)):
		return t, errToken
	case history != k.history:
		return t, errOtherHistory
	}
	return t, nil
}

func readToken(b []byte) (t token, ok bool) {
	if len(b) > 0 && b[0] == isCommon {
		size := 0
		if t.common, size = binary.Uvarint(b[1:]); size <= 0 {
			return t, false
		}
		b = b[1+size:]
	}
	if len(b) == 0 {
		return t, false
	}
	t.kind, b = tokenKind(b[0]), b[1:]
	if t.kind != listPage && t.kind != deltaPage && t.kind != deltaFrom {
		return t, false
	}
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

// cutHistory takes the name of its history off a token.
func cutHistory(b []byte) (rest []byte, history string) {
	if b[0] != ofHistory {
		return b, ""
	}
	n, size := binary.Uvarint(b[1:])
	if size <= 0 || n > uint64(len(b)-1-size) {
		return nil, ""
	}
	b = b[1+size:]
	return b[n:], string(b[:n])
}

func (k *keys) mac(b []byte, bind string) []byte {
	h := hmac.New(sha256.New, k.secret)
	h.Write(binary.AppendUvarint(nil, uint64(len(bind))))
	h.Write([]byte(bind))
	h.Write(b)
	return h.Sum(nil)[:macSize]
}
