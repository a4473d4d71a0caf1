// Package filestore keeps the bytes of reality data and of detectors in a folder, or
// in another [Backend], and serves them as an http.Handler.
//
//	files, err := filestore.Open(dir, filestore.Config{BaseURL: "https://example.com/files"})
//	if err != nil {
//		return err
//	}
//	svc := realitydata.New(store, realitydata.Config{Containers: files, Twins: directory})
//	err = files.Follow(ctx, svc)
//	mux.Handle("/files/", http.StripPrefix("/files", files))
//
// GET and HEAD read a file, PUT writes one whole or not at all, DELETE removes one. An
// address is signed, good for an hour, for reading alone or also for writing, and in the
// name of whom it was given to: each request is judged again, so that an address ends
// with the right behind it, with the data, and, for writing, once they are complete.
//
// What one caller sends is bounded in size, in number and in time, and no caller can
// fill the disk on which others depend: see [Config]. A failure has the documented
// error body.
//
// # Block-blob clients
//
// A request with an x-ms-* header, or with comp or restype in its query, is one of the
// protocol of block-blob storage, whose client libraries take the addresses of containers as
// they are. Of it these are spoken: Put Blob, Get Blob (with Range or x-ms-range), Get Blob
// Properties, Put Block, Put Block List, Get Block List, Get and Set Blob Metadata, Set Blob
// Properties, Delete Blob, List Blobs and Get Container Properties; each file under If-Match,
// If-None-Match, If-Modified-Since and If-Unmodified-Since. Content-MD5 and x-ms-content-crc64
// are checked where they are sent.
//
// Metadata (x-ms-meta-*, 8 KiB a file) and headers (x-ms-blob-content-type and its like) stay
// with the file that they were sent with, and are answered to clients of the protocol. A list has
// up to 5,000 files and folders a page, with prefix, delimiter, marker and include=metadata.
//
// Blocks outlive a restart. They count to the account and have the limits of a separate
// container: MaxContainer for their bytes, MaxFiles for their number; their file has MaxFile.
// They go with the Put Block List or Put Blob of their file, or BlockTime after the last of
// them. Readers have the old file or the new one. Blocks and lists need a [Shelf], metadata
// and blocks that are named again a [Marking] too: a folder and the bucket of package
// objectstore are both. Over other backends what cannot be kept is refused with 501
// NotImplemented, or 400 UnsupportedHeader for metadata, and headers of files are not kept.
//
// What is not understood of x-ms-* headers, comp and restype is refused with 400 UnsupportedHeader
// or UnsupportedQueryParameter before anything is changed. Failures are reported in the XML of the
// protocol and by its codes, such as BlobNotFound (404), ConditionNotMet (412), BlobAlreadyExists
// (409), InvalidBlockList and Md5Mismatch (400). Conditions are judged at the moment at which a
// file appears; another Store over a Shared backend may come between.
package filestore

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/allowance"
	"github.com/seed-933f9a09/twinplatform/internal/cors"
	"github.com/seed-933f9a09/twinplatform/internal/steady"
)

// Records reports what containers there are, and who may do what with them.
// *realitydata.Service is one.
type Records interface {
	// ContainerRight fails unless the caller in ctx may read, or write, a
	// container, and returns the account whose bytes they are.
	ContainerRight(ctx context.Context, containerID string, write bool) (accountID string, err error)
	// ContainerAccount returns the account of a container, and whether there is
	// one.
	ContainerAccount(ctx context.Context, containerID string) (accountID string, ok bool, err error)
	// FinishRemovals removes what a crash left of deleted containers.
	FinishRemovals(ctx context.Context) error
}

// Measured is what Records may be besides: it is notified when files of a container were written or
// removed, before the request for that is answered. *realitydata.Service keeps the sizes of its
// records by that.
type Measured interface {
	// ContainerChanged is called without a caller. A failure leaves the files as they are.
	ContainerChanged(ctx context.Context, containerID string) error
}

// Store keeps containers in a [Backend] and serves them. It is safe for concurrent use.
type Store struct {
	backend Backend
	shared  Shared  // nil: the backend is this Store's alone
	shelf   Shelf   // nil: there are no blocks, no lists, no metadata
	marking Marking // nil: there is no metadata
	cfg     Config
	wall    *steady.Wall // of what is removed for good
	seal    cipher.AEAD
	rate    *allowance.Allowances // nil: no limit
	records Records               // nil until Follow; guarded by mu

	mu         sync.Mutex
	containers map[string]*container
	accounts   map[string]*account
	bytes      int64 // of all accounts

	// Under way; guarded by mu.
	uploads, downloads map[string]int64 // by principal
	accountUploads     map[string]int64
}

var _ http.Handler = (*Store)(nil)

// Open opens a folder, which is made where it is missing, and removes what a dead
// process left in it. One process at a time has it. It serves nothing until Follow.
// Without Config.Key addresses are good until the program ends, at most.
func Open(dir string, cfg Config) (*Store, error) {
	f, err := openFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("filestore: %w", err)
	}
	return New(f, cfg)
}

// Temporary is Open of a folder that Close removes.
func Temporary(cfg Config) (*Store, error) {
	dir, err := os.MkdirTemp("", "twinplatform-files-")
	if err != nil {
		return nil, fmt.Errorf("filestore: %w", err)
	}
	f, err := openFolder(dir)
	if err != nil {
		return nil, fmt.Errorf("filestore: %w", errors.Join(err, os.RemoveAll(dir)))
	}
	f.passing = true
	return New(f, cfg)
}

// New is Open of a backend, which Close closes, and New too when it fails, where it is
// an io.Closer. Stores with one key over one Shared backend serve the same addresses.
func New(b Backend, cfg Config) (*Store, error) {
	s := &Store{
		backend:    b,
		containers: make(map[string]*container), accounts: make(map[string]*account),
		uploads: make(map[string]int64), downloads: make(map[string]int64), accountUploads: make(map[string]int64),
	}
	if n := len(cfg.Key); n != 0 && n < MinKey {
		return nil, errors.Join(fmt.Errorf("filestore: Config.Key has %d bytes, and needs %d", n, MinKey), s.Close())
	}
	if err := cors.Check(cfg.Origins); err != nil {
		return nil, errors.Join(fmt.Errorf("filestore: %w", err), s.Close())
	}
	s.shared, _ = b.(Shared)
	if s.shelf, _ = b.(Shelf); s.shelf != nil {
		s.marking, _ = b.(Marking)
	}
	s.seal, s.cfg = newSeal(cfg.Key), cfg.withDefaults(b)
	s.wall = steady.NewWall(twinplatform.Env{Now: s.cfg.Now})
	s.wall.Now()
	if s.cfg.Rate != Unlimited {
		s.rate = allowance.New(s.cfg.Rate, s.cfg.Now)
	}
	return s, nil
}

// ParseKey returns the Config.Key that a file holds: MinKey random bytes or more, or a text
// of as many, whose last line may have an end or not.
func ParseKey(file []byte) ([]byte, error) {
	key := file
	if line := bytes.TrimRight(file, "\r\n"); !bytes.ContainsFunc(line,
		func(r rune) bool { return r < ' ' || r > '~' }) {
		key = line
	}
	if len(key) < MinKey {
		return nil, fmt.Errorf("filestore: a file with a key holds %d bytes or more, not %d", MinKey, len(key))
	}
	return key, nil
}

// newSeal makes the key of addresses from a secret, or without one a random key.
func newSeal(secret []byte) cipher.AEAD {
	if len(secret) == 0 {
		secret = make([]byte, MinKey)
		rand.Read(secret)
	}
	key := sha256.Sum256(append([]byte("twinplatform/filestore/address\x00"), secret...))
	block, err := aes.NewCipher(key[:])
	if err == nil {
		var seal cipher.AEAD
		if seal, err = cipher.NewGCMWithRandomNonce(block); err == nil {
			return seal
		}
	}
	panic(err) // a key of 32 bytes always does
}

// Follow begins to serve the containers that r has records of. It finishes removals
// that a crash cut off, and counts what is there against the limits, which takes as
// long as listing the folder. What is in a Shared backend is counted as it is written
// to, and by Run.
func (s *Store) Follow(ctx context.Context, r Records) error {
	if err := r.FinishRemovals(ctx); err != nil {
		return fmt.Errorf("filestore: removing what was deleted: %w", err)
	}
	if s.shared == nil {
		if err := s.countAll(ctx, r); err != nil {
			return fmt.Errorf("filestore: counting what is there: %w", err)
		}
		if err := s.sweepBlocks(ctx, r); err != nil {
			return fmt.Errorf("filestore: removing blocks: %w", err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.records = r
	return nil
}

// MaxFile is the number of bytes that one file may have, as in Config; 0 where there is no limit.
func (s *Store) MaxFile() int64 {
	if s.cfg.MaxFile == noLimit {
		return 0
	}
	return s.cfg.MaxFile
}

// Close releases the backend. Its files stay, except for those of a Temporary one.
func (s *Store) Close() error {
	if c, ok := s.backend.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Config sets the address and the limits of a Store. The zero value has the defaults. Of
// every limit 0 means the default, and Unlimited that there is none.
type Config struct {
	// BaseURL is the address under which the Store is served.
	BaseURL string
	// Key is the secret by which addresses are signed: MinKey random bytes or more.
	// Addresses are good wherever a Store with the same key serves the same containers:
	// behind a restart, or on another machine. Nil means a key of this Store alone.
	Key []byte
	// Origins are the origins, such as https://app.example, whose pages may use the addresses
	// in browsers; "*" stands for all. Browsers of others hide the answers from their pages. Empty
	// means none. Credentials of browsers, such as cookies, are never allowed or looked at.
	Origins []string
	// Now is the clock of addresses and allowances. Nil means time.Now.
	Now func() time.Time
	// Logger receives what no client is shown. Nil discards it.
	Logger *slog.Logger

	// MaxFile is the number of bytes of one file: 512 MiB by default. More are
	// refused with 413 RequestTooLarge.
	MaxFile int64
	// MaxContainer is the number of bytes of one container: 16 GiB by default.
	// More are refused with 409 ContainerFull.
	MaxContainer int64
	// MaxFiles is the number of files of one container: 100,000 by default. More
	// are refused with 409 ContainerFull.
	MaxFiles int64
	// MaxAccount is the number of bytes of all containers and objects of one account: 64
	// GiB by default. More are refused with 409 AccountStorageFull.
	MaxAccount int64
	// MaxTotal is the number of bytes of all accounts together: no limit by default, for
	// MinFree is one of a folder. More are refused with 503 StorageFull.
	MaxTotal int64
	// MaxObjects is the number of objects of one account that are no files of reality data,
	// such as attachments and images: 1,000,000 by default. More are refused with 409
	// AccountStorageFull.
	MaxObjects int64
	// MinFree is the number of bytes that stay free in the file system, so that
	// other processes that write to it still can: 1 GiB by default, or a twentieth of
	// a smaller one. Files are refused with 503 StorageFull before.
	MinFree int64
	// Free returns the free bytes of the file system. Nil asks it; where that
	// cannot be done, on some operating systems and of other backends, MinFree has
	// no effect.
	Free func() (int64, error)

	// MaxUploads is the number of files that one principal sends at once, 16 by
	// default, and MaxAccountUploads all principals of one account, 64 by default.
	// More are refused with 429 RateLimitExceeded, and so are more than 64
	// files that one principal reads at once from the Store.
	MaxUploads, MaxAccountUploads int64
	// Rate is the number of requests a minute that one principal makes: 5,000 by
	// default. Requests without a valid address have one for each network that they come from.
	Rate int
	// Grace is how long a client may take in all to send or to read a file, plus
	// a second for each MinRate bytes: 10 seconds and 16 KiB by default. A caller that
	// is slower is cut off, a sender with 408 RequestTimeout.
	Grace   time.Duration
	MinRate int64
}

// Unlimited sets no limit.
const Unlimited = -1

// MinKey is the number of bytes that a Config.Key has at least.
const MinKey = 32

// Limits by default.
const (
	DefaultMaxFile           = 512 << 20
	DefaultMaxContainer      = 16 << 30
	DefaultMaxFiles          = 100_000
	DefaultMaxAccount        = 64 << 30
	DefaultMaxObjects        = 1_000_000
	DefaultMinFree           = 1 << 30
	DefaultMaxUploads        = 16
	DefaultMaxAccountUploads = 64
	DefaultRate              = 5_000
	DefaultGrace             = 10 * time.Second
	DefaultMinRate           = 16 << 10

	maxDownloads = 64
)

func (c Config) withDefaults(b Backend) Config {
	c.BaseURL = strings.TrimSuffix(c.BaseURL, "/")
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	limit(&c.MaxFile, DefaultMaxFile)
	limit(&c.MaxContainer, DefaultMaxContainer)
	limit(&c.MaxFiles, DefaultMaxFiles)
	limit(&c.MaxAccount, DefaultMaxAccount)
	limit(&c.MaxTotal, noLimit)
	limit(&c.MaxObjects, DefaultMaxObjects)
	limit(&c.MaxUploads, DefaultMaxUploads)
	limit(&c.MaxAccountUploads, DefaultMaxAccountUploads)
	limit(&c.MinRate, DefaultMinRate)
	if c.Rate == 0 {
		c.Rate = DefaultRate
	}
	if c.Grace == 0 {
		c.Grace = DefaultGrace
	}
	c.floor(b)
	return c
}

const noLimit = 1 << 62

// limit puts the default for 0, and the largest number for Unlimited.
func limit(value *int64, otherwise int64) {
	switch *value {
	case 0:
		*value = otherwise
	case Unlimited:
		*value = noLimit
	}
}

// floor determines how much stays free, and how that is measured.
func (c *Config) floor(b Backend) {
	least := int64(DefaultMinFree)
	if c.Free == nil {
		f, ok := b.(interface {
			Space() (free, total int64, err error)
		})
		c.Free = func() (int64, error) {
			if !ok {
				return math.MaxInt64, nil
			}
			free, _, err := f.Space()
			return free, err
		}
		if ok {
			if _, total, err := f.Space(); err == nil && total/20 < least {
				least = total / 20
			}
		}
	}
	switch c.MinFree {
	case 0:
		c.MinFree = least
	case Unlimited:
		c.MinFree = 0
	}
}
