//go:build !linux && !darwin && !freebsd

package filestore

import "math"

// space knows nothing where the file system cannot be asked.
func space(string) (free, total int64, err error) { return math.MaxInt64, math.MaxInt64, nil }
