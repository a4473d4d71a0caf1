package storage

import "iter"

// Range is what a scan reads: the keys that begin with Prefix and are greater than After.
// Limit is how many records of it are wanted at most; 0 means all.
type Range struct {
	Prefix, After string
	Limit         int
	// Follow says of a range that is prefetched what its values lead to, such as those of an index: of
	// each record the key that begins with the first of these and ends with its value is read in the
	// same journey, and where that is not there the one that begins with the second, by engines that
	// can. "" leads to nothing.
	Follow [2]string
}

// Prefetcher is implemented by the Readers of engines that are asked over a network, where
// each Get and each Scan is a round trip, a journey.
type Prefetcher interface {
	Reader

	// Prefetch reads keys and ranges in one journey, whatever is not known yet of the
	// transaction. A Get of such a key, and a Scan or ScanLimit with the Prefix and the
	// After of such a range, then take no journey as far as that reaches. It changes no
	// answer. It fails as a Get would.
	Prefetch(keys []string, ranges ...Range) error

	// ScanLimit is Scan for a caller that wants so many records at most. It ends behind
	// them.
	ScanLimit(prefix, after string, limit int) iter.Seq2[string, []byte]
}

// Prefetch names to the engine what a transaction is about to read, see [Prefetcher]. An
// engine that is no further away than memory has no use for it, and nothing is done then.
func Prefetch(r Reader, keys []string, ranges ...Range) error {
	if far, ok := r.(Prefetcher); ok {
		return far.Prefetch(keys, ranges...)
	}
	return nil
}

// Prefetches reports whether it pays to prefetch what a transaction is about to read.
func Prefetches(r Reader) bool {
	_, ok := r.(Prefetcher)
	return ok
}

// ScanLimit is a Scan that ends behind so many records, and fetches no more of them where
// it pays to know that.
func ScanLimit(r Reader, prefix, after string, limit int) iter.Seq2[string, []byte] {
	if far, ok := r.(Prefetcher); ok {
		return far.ScanLimit(prefix, after, limit)
	}
	return AtMost(r.Scan(prefix, after), limit)
}

// AtMost ends a scan behind so many records, for engines.
func AtMost(scan iter.Seq2[string, []byte], limit int) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		left := limit
		if left <= 0 {
			return
		}
		for key, value := range scan {
			if !yield(key, value) {
				return
			}
			if left--; left == 0 {
				return
			}
		}
	}
}
