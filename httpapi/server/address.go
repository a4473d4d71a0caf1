package server

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// announce writes the address to a file, where one is wanted. It appears with all of
// it or not at all.
func announce(file, addr string) error {
	if file == "" {
		return nil
	}
	part := file + ".part"
	err := os.WriteFile(part, []byte(addr), 0o644)
	if err == nil {
		err = os.Rename(part, file)
	}
	if err != nil {
		_ = os.Remove(part)
		return fmt.Errorf("-addr-file: %w", err)
	}
	return nil
}

// withdraw removes the file with the address of a server that is gone, so that it sends
// no one astray.
func withdraw(file string) error {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return fmt.Errorf("-addr-file: %s is a folder", file)
	}
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("-addr-file: %w", err)
	}
	return nil
}
