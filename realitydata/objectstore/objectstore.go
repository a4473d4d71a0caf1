// Package objectstore keeps the bytes of reality data and of detectors in a bucket of
// an object store that speaks S3's API, for one node or several.
//
//	bucket, err := objectstore.Open(ctx, objectstore.Config{Endpoint: "https://s3.eu-central-1.amazonaws.com", Region: "eu-central-1", Bucket: "twins"})
//	…
//	files, err := filestore.New(bucket, filestore.Config{BaseURL: "https://example.com/files", Key: key})
//	…
//	svc := realitydata.New(store, realitydata.Config{Containers: files, …})
//	err = files.Follow(ctx, svc)
//	go files.Run(ctx)
//	mux.Handle("/files/", http.StripPrefix("/files", files))
//
// Clients write through the node, which holds them to the limits and to their right:
// small files come in one request after their last byte has been judged, larger ones as a
// multipart upload that is completed only then. They read from the bucket itself, at a
// presigned address of the one file, to which the node sends them with 307, or through the
// node.
//
// # What is where
//
// A file of the container is the object Prefix + "c-" + the container's id in base64url +
// "/" + its path, of which all but letters, digits, "-_.()/" and printable characters
// outside ASCII is written as "!" and two hexadecimal digits a byte. A bucket has no
// folders, so there may be a file x next to a file x/y.
//
// # Block-blob clients
//
// Blocks are objects until there is their list: the node then reads them, writes the file and
// removes them, so that each byte goes to the bucket twice. Metadata, headers and lists of blocks are
// objects next to those of the files, found by a mark that each file has in the metadata of its
// own object (x-amz-meta-mark), so that a copy of the bucket is to keep those. The ETag is
// that of the object: a file that is replaced by the same bytes may have the same. What such clients
// read goes through the node. Names are listed in the order of the objects; of files that have metadata
// each takes three requests more in a list, 32 at once.
//
// # What the limits mean
//
// Each node counts a container when it is first written to, again after Config.Fresh or
// twenty times as long as the counting took, and what it writes itself at once. So
// Config.MaxContainer, MaxFiles and MaxAccount of package filestore can be exceeded by
// what other nodes let in within that time. The limit of an account is that of the
// containers that the node has counted: those written to, and all of them once
// filestore.Store.Run has been through the bucket. Limits of what is sent at once, rates
// and paces are a node's own.
//
// # What is left to the bucket
//
// Encryption, access and lifecycle are the bucket's own settings. Where it keeps versions,
// a rule is to expire those that are not current. Browsers that are sent to it need its
// CORS rules to allow them. The node needs the rights to get, put, list and delete
// objects, and to list and abort multipart uploads.
package objectstore

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// Config sets where a Bucket is. Endpoint and Bucket are needed; of the rest the zero
// value has the defaults.
type Config struct {
	// Endpoint is the address of the object store, such as
	// https://s3.eu-central-1.amazonaws.com: a scheme, a host and a port.
	Endpoint string
	// PublicEndpoint is the address at which clients reach the same object store.
	// Empty means Endpoint.
	PublicEndpoint string
	// Region is the region that requests are signed for: us-east-1 by default, which
	// is also right for stores that know none.
	Region string
	// Bucket is the name of the bucket, which is there.
	Bucket string
	// Prefix begins the names of all objects, so that a bucket may have others: letters,
	// digits and "-_./". Stores of different platforms have different ones.
	Prefix string
	// HostStyle puts the bucket into the name of the host. False does so at the hosts
	// that are known to want it, such as Amazon's, and puts it into the path elsewhere.
	HostStyle bool
	// Credentials sign requests and addresses. Nil means those of the environment
	// (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN), those of the file
	// of AWS's tools, or the role of the machine.
	Credentials *credentials.Credentials

	// Through makes the node send the files itself, where clients do not reach the
	// bucket. They are then held to the paces of filestore.Config.
	Through bool
	// AddressTime is how long the address of one file in the bucket is valid for: a
	// minute by default, whole seconds, at most an hour. A read that has begun continues.
	AddressTime time.Duration
	// PartSize is the number of bytes of one part of a file that is sent in several:
	// 16 MiB by default, and at least 5 MiB. A file has at most 10,000 parts.
	PartSize int64
	// Dir is where one part of each file that is on its way lies: the folder for
	// temporary files by default.
	Dir string
	// Fresh is how long counts of bytes and files are believed: 30 seconds by default.
	Fresh time.Duration
	// Patience is how long one request to the object store may take, or one wait for
	// bytes of it: a minute by default. Then callers get 503 StorageUnavailable.
	Patience time.Duration
	// Transport carries the requests. Nil means a new one.
	Transport http.RoundTripper
}

// Defaults and bounds of Config.
const (
	DefaultRegion      = "us-east-1"
	DefaultAddressTime = time.Minute
	MaxAddressTime     = time.Hour
	DefaultPartSize    = 16 << 20
	MinPartSize        = 5 << 20
	DefaultFresh       = 30 * time.Second
	DefaultPatience    = time.Minute

	maxParts = 10_000
	attempts = 3 // of a request
)

func (c Config) withDefaults() Config {
	if c.Region == "" {
		c.Region = DefaultRegion
	}
	if c.PublicEndpoint == "" {
		c.PublicEndpoint = c.Endpoint
	}
	if c.Prefix != "" {
		c.Prefix = strings.TrimSuffix(c.Prefix, "/") + "/"
	}
	if c.Credentials == nil {
		c.Credentials = credentials.NewChainCredentials([]credentials.Provider{
			new(credentials.EnvAWS), new(credentials.FileAWSCredentials), new(credentials.IAM),
		})
	}
	if c.AddressTime == 0 {
		c.AddressTime = DefaultAddressTime
	}
	if c.PartSize == 0 {
		c.PartSize = DefaultPartSize
	}
	if c.Dir == "" {
		c.Dir = os.TempDir()
	}
	if c.Fresh == 0 {
		c.Fresh = DefaultFresh
	}
	if c.Patience == 0 {
		c.Patience = DefaultPatience
	}
	return c
}

func (c Config) check() error {
	switch {
	case c.Bucket == "":
		return errors.New("Config.Bucket is missing")
	case strings.HasPrefix(c.Prefix, "/") || strings.Contains(c.Prefix, "//") ||
		strings.Trim(c.Prefix, prefixCharacters) != "" || len(c.Prefix) > maxPrefix:
		return fmt.Errorf("Config.Prefix has at most %d letters, digits and -_./ and does not begin with a slash",
			maxPrefix)
	case c.AddressTime < time.Second || c.AddressTime > MaxAddressTime || c.AddressTime%time.Second != 0:
		return fmt.Errorf("Config.AddressTime is whole seconds up to %v", MaxAddressTime)
	case c.PartSize < MinPartSize:
		return fmt.Errorf("Config.PartSize is at least %d", MinPartSize)
	case c.Fresh < 0 || c.Patience < 0:
		return errors.New("Config.Fresh and Config.Patience are not negative")
	}
	return nil
}

// Bucket keeps files as objects. It is safe for concurrent use, by any number of
// processes.
type Bucket struct {
	cfg    Config
	core   minio.Core
	public *minio.Client // makes addresses for clients
	ahead  atomic.Int64  // of this clock the store's is, in nanoseconds
}

var (
	_ filestore.Shared     = (*Bucket)(nil)
	_ filestore.Shelf      = (*Bucket)(nil)
	_ filestore.Marking    = (*Bucket)(nil)
	_ filestore.Redirector = (*Bucket)(nil)
)

// Open reaches a bucket, and fails where there is none or the credentials are not taken.
func Open(ctx context.Context, cfg Config) (*Bucket, error) {
	cfg = cfg.withDefaults()
	b := &Bucket{cfg: cfg}
	err := cfg.check()
	if err == nil {
		b.core.Client, err = b.client(cfg.Endpoint)
	}
	if err == nil {
		b.public, err = b.client(cfg.PublicEndpoint)
	}
	if err == nil {
		err = b.reach(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("objectstore: %w", err)
	}
	return b, nil
}

// reach asks for the bucket.
func (b *Bucket) reach(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, b.cfg.Patience)
	defer cancel()
	there, err := b.core.BucketExists(ctx, b.cfg.Bucket)
	if err != nil {
		return errors.New(b.cause(err))
	}
	if !there {
		return fmt.Errorf("there is no bucket %q", b.cfg.Bucket)
	}
	return nil
}

var errEndpoint = errors.New("Config.Endpoint and Config.PublicEndpoint are like https://host:port, without user, " +
	"path or query")

// client makes a client of an address of the object store. Errors leave the address out:
// it may have a password.
func (b *Bucket) client(endpoint string) (*minio.Client, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") ||
		u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, errEndpoint
	}
	transport := b.cfg.Transport
	if transport == nil {
		if transport, err = minio.DefaultTransport(u.Scheme == "https"); err != nil {
			return nil, err
		}
	}
	lookup := minio.BucketLookupAuto
	if b.cfg.HostStyle {
		lookup = minio.BucketLookupDNS
	}
	return minio.New(u.Host, &minio.Options{
		Creds: b.cfg.Credentials, Secure: u.Scheme == "https", Region: b.cfg.Region, BucketLookup: lookup,
		Transport: dated{transport, &b.ahead}, MaxRetries: attempts,
	})
}

// dated notes what time it is for the object store.
type dated struct {
	http.RoundTripper

	ahead *atomic.Int64
}

func (d dated) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := d.RoundTripper.RoundTrip(r)
	if err == nil {
		if now, err := http.ParseTime(res.Header.Get("Date")); err == nil {
			d.ahead.Store(int64(time.Until(now)))
		}
	}
	return res, err
}

// at is a moment by the clock of the object store, to a second or two.
func (b *Bucket) at(t time.Time) time.Time { return t.Add(time.Duration(b.ahead.Load())) }

// Fresh implements filestore.Shared.
func (b *Bucket) Fresh() time.Duration { return b.cfg.Fresh }

// ReadURL implements filestore.Redirector.
func (b *Bucket) ReadURL(ctx context.Context, containerID, name string) (address string, ok bool, err error) {
	if b.cfg.Through {
		return "", false, nil
	}
	key, err := b.key(containerID, name)
	if err != nil {
		return "", false, err
	}
	// Nothing that a client wrote is shown as a page, and none keeps it longer than
	// the right to it lasts.
	as := url.Values{
		"response-content-type":        {contentType},
		"response-content-disposition": {"attachment"},
		"response-cache-control":       {"private, no-cache"},
	}
	u, err := b.public.PresignedGetObject(ctx, b.cfg.Bucket, key, b.cfg.AddressTime, as)
	if err != nil {
		return "", false, b.failure(err)
	}
	return u.String(), true, nil
}

// contentType is what every object is stored as.
const contentType = "application/octet-stream"

// Size implements filestore.Backend.
func (b *Bucket) Size(ctx context.Context, containerID, name string) (bytes int64, ok bool, err error) {
	key, err := b.key(containerID, name)
	if err != nil {
		return 0, false, err
	}
	info, err := b.stat(ctx, key)
	if isMissing(err) {
		return 0, false, nil
	}
	return info.Size, err == nil, b.failure(err)
}

func (b *Bucket) stat(ctx context.Context, key string) (minio.ObjectInfo, error) {
	ctx, cancel := context.WithTimeout(ctx, b.cfg.Patience)
	defer cancel()
	return b.core.StatObject(ctx, b.cfg.Bucket, key, minio.StatObjectOptions{})
}

// Remove implements filestore.Backend.
func (b *Bucket) Remove(ctx context.Context, containerID, name string) error {
	key, err := b.key(containerID, name)
	if err != nil {
		return err
	}
	if _, err := b.stat(ctx, key); err != nil {
		return b.failure(err) // S3 does not report what was not there
	}
	ctx, cancel := context.WithTimeout(ctx, b.cfg.Patience)
	defer cancel()
	return b.failure(b.core.RemoveObject(ctx, b.cfg.Bucket, key, minio.RemoveObjectOptions{}))
}
