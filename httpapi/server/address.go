package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
)

// announce writes the address to the file of -addr-file, where one is wanted. It appears with
// all of it or not at all. A server at a port of its own choice ends where that cannot be
// written, since no one would find it; one at a port that was given continues without.
func (s *server) announce(ctx context.Context, addr string) error {
	file := s.cfg.AddrFile
	if file == "" {
		return nil
	}
	err := replaceFile(s.disk, file, []byte(addr), 0o644)
	if err == nil {
		return nil
	}
	err = fmt.Errorf("-addr-file: %w", withCure(err))
	if _, port, _ := net.SplitHostPort(s.cfg.Addr); port == "0" {
		return err
	}
	s.log.ErrorContext(ctx, "the address file cannot be written; serving continues without", "file", file, "address",
		addr, "error", err)
	return nil
}

// withdraw removes the file with the address of a server that is gone, so that it sends
// no one astray.
func (s *server) withdraw() error {
	file := s.cfg.AddrFile
	if file == "" {
		return nil
	}
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return fmt.Errorf("-addr-file: %s is a folder", file)
	}
	if err := s.disk.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("-addr-file: %w", withCure(err))
	}
	return nil
}
