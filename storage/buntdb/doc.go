// Package buntdb is a storage engine that keeps its data in one file, in the
// append-only format of github.com/tidwall/buntdb.
package buntdb
