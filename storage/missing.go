package storage

import "strconv"

// NotFound is the [ErrNotFound] of a key, for engines. It is made far more often than
// it is read, since a create checks first whether the record exists.
func NotFound(key string) error { return missing(key) }

type missing string

// Error implements error.
func (m missing) Error() string { return ErrNotFound.Error() + ": " + strconv.Quote(string(m)) }

// Unwrap makes it an ErrNotFound.
func (missing) Unwrap() error { return ErrNotFound }
