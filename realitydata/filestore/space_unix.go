//go:build linux || darwin || freebsd

package filestore

import "syscall"

// space returns the bytes of a file system that may be written, and all that it
// has.
func space(dir string) (free, total int64, err error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return 0, 0, err
	}
	return int64(st.Bavail) * int64(st.Bsize), int64(st.Blocks) * int64(st.Bsize), nil
}
