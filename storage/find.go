package storage

import (
	"errors"
	"iter"
)

// Finder is implemented by Readers that answer for single records without an error to make
// or a loop to begin, as those of engines in memory do.
type Finder interface {
	Reader

	// Find is Get, and reports of a key that is not there that it is not ok.
	Find(key string) (value []byte, ok bool, err error)

	// First is the first record that Scan would yield; it is not ok where there is none. An
	// error of the engine is returned by the enclosing View or Update.
	First(prefix, after string) (key string, value []byte, ok bool)
}

// Find calls Find of a reader that is a [Finder], and Get of any other. It reports ok false
// where the key is not there.
func Find(r Reader, key string) (value []byte, ok bool, err error) {
	if f, finds := r.(Finder); finds {
		return f.Find(key)
	}
	value, err = r.Get(key)
	if errors.Is(err, ErrNotFound) {
		return nil, false, nil
	}
	return value, err == nil, err
}

// First calls First of a reader that is a [Finder], and scans for one key in any other.
func First(r Reader, prefix, after string) (key string, value []byte, ok bool) {
	if f, finds := r.(Finder); finds {
		return f.First(prefix, after)
	}
	return FirstOf(ScanLimit(r, prefix, after, 1))
}

// FirstOf is the first record that a scan yields; it is not ok where there is none. Implementations
// of First leave to it what they do not look up: a loop over a scan makes objects of the results
// of the function that it stands in.
func FirstOf(scan iter.Seq2[string, []byte]) (key string, value []byte, ok bool) {
	for key, value := range scan {
		return key, value, true
	}
	return "", nil, false
}
