package filestore

import (
	"net/http"
	"strings"
	"time"
)

// conditions holds the conditional headers of a request of the blob protocol, as HTTP has them.
type conditions struct {
	match, noneMatch string
	since, notSince  time.Time // modified; zero: not given
}

func conditionsOf(h http.Header) conditions {
	c := conditions{match: h.Get("If-Match"), noneMatch: h.Get("If-None-Match")}
	c.since, _ = http.ParseTime(h.Get("If-Modified-Since"))
	c.notSince, _ = http.ParseTime(h.Get("If-Unmodified-Since"))
	return c
}

func (c conditions) any() bool { return c != conditions{} }

// reading reports why a file is not read, if it is not.
func (c conditions) reading(b *blob) error {
	switch {
	case !c.kept(b):
		return errCondition
	case c.noneMatch != "":
		if names(c.noneMatch, b.tag) {
			return errNotModified
		}
	case !c.since.IsZero() && !b.modified.Truncate(time.Second).After(c.since):
		return errNotModified
	}
	return nil
}

// changing reports why a file, or nil where there is none, is not changed or deleted, if it is
// not.
func (c conditions) changing(b *blob) error {
	switch {
	case b == nil:
		if c.match != "" || !c.notSince.IsZero() {
			return errCondition
		}
	case c.reading(b) != nil:
		return errCondition
	}
	return nil
}

// writing is changing for a request with the bytes of the file: that it asks for no such file
// has a code of its own.
func (c conditions) writing(b *blob) error {
	if b != nil && strings.TrimSpace(c.noneMatch) == "*" {
		return errThere
	}
	return c.changing(b)
}

// kept reports whether a file is still the one that the request means.
func (c conditions) kept(b *blob) bool {
	if c.match != "" {
		return names(c.match, b.tag)
	}
	return c.notSince.IsZero() || !b.modified.Truncate(time.Second).After(c.notSince)
}

// names reports whether a list of ETags has one, or means all.
func names(list, tag string) bool {
	for one := range strings.SplitSeq(list, ",") {
		one = strings.TrimPrefix(strings.TrimSpace(one), "W/")
		if one == "*" || strings.Trim(one, `"`) == strings.Trim(tag, `"`) {
			return true
		}
	}
	return false
}
