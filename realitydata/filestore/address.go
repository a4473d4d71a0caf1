package filestore

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strconv"
	"time"

	"github.com/seed-933f9a09/twinplatform"
)

// AddressTime is how long an address is valid for, at most.
const AddressTime = time.Hour

// grant is what an address stands for: who it was given to, and the right that it
// carries. The system has no principal.
type grant struct {
	containerID string
	write       bool
	principal   *twinplatform.Principal
}

// ContainerURL returns a signed address of a container, in the name of the caller.
// Who that is can be read from it by the Store alone.
func (s *Store) ContainerURL(ctx context.Context, containerID string, write bool) (string, error) {
	var who []byte
	if p, ok := twinplatform.PrincipalFrom(ctx); ok {
		var err error
		if who, err = json.Marshal(p); err != nil {
			return "", err
		}
	}
	rights := "r"
	if write {
		rights = "rw"
	}
	until := s.cfg.Now().Add(AddressTime).UTC().Format(time.RFC3339)
	sig := s.seal.Seal(nil, nil, who, terms(containerID, rights, until))
	q := url.Values{"sp": {rights}, "se": {until}, "sig": {base64.RawURLEncoding.EncodeToString(sig)}}
	return s.cfg.BaseURL + "/" + url.PathEscape(containerID) + "?" + q.Encode(), nil
}

// terms is what an address is signed for.
func terms(containerID, rights, until string) []byte {
	return []byte(strconv.Quote(containerID) + strconv.Quote(rights) + strconv.Quote(until))
}

// grantIn reads the address of a request, and fails for one that was not signed or
// is out of date.
func (s *Store) grantIn(containerID string, q url.Values) (*grant, error) {
	rights, until := q.Get("sp"), q.Get("se")
	expires, err := expiry(until)
	// What a clock that was ahead made good for twice as long as the longest is not good.
	left := expires.Unix() - s.cfg.Now().Unix()
	if err != nil || left < 0 || left > int64(2*AddressTime/time.Second) {
		return nil, errAddress
	}
	sig, err := base64.RawURLEncoding.Strict().DecodeString(q.Get("sig"))
	if err != nil {
		return nil, errAddress
	}
	who, err := s.seal.Open(nil, nil, sig, terms(containerID, rights, until))
	if err != nil {
		return nil, errAddress
	}
	g := &grant{containerID: containerID, write: rights == "rw"}
	if len(who) > 0 {
		g.principal = new(twinplatform.Principal)
		err = json.Unmarshal(who, g.principal)
	}
	return g, err
}

// expiry reads the time until which an address is valid. Clients that take an address apart and put it together again
// keep a time in UTC and whole seconds as it was, and drop a number; addresses that were given as numbers are still
// read.
func expiry(until string) (time.Time, error) {
	if seconds, err := strconv.ParseInt(until, 10, 64); err == nil {
		return time.Unix(seconds, 0), nil
	}
	return time.Parse(time.RFC3339, until)
}

// context is one in which the holder of the address is the caller.
func (g *grant) context(ctx context.Context) context.Context {
	if g.principal == nil {
		return ctx
	}
	return twinplatform.WithPrincipal(ctx, *g.principal)
}

// caller is who an allowance belongs to, and never empty.
func (g *grant) caller() string {
	if g.principal == nil {
		return "system"
	}
	return g.principal.AccountID + "\x00" + g.principal.ID
}
