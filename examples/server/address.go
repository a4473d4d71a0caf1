package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
)

// announce writes the address to a file, where one is wanted.
func announce(file, addr string) error {
	if file == "" {
		return nil
	}
	return writeWhole("addr-file", file, 0o644, func(w io.Writer) error {
		_, err := io.WriteString(w, addr)
		return err
	})
}

// withdraw removes the file with the address of a server that is gone, so that
// it sends nobody astray.
func withdraw(file string) error {
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		return fmt.Errorf("-addr-file: %s is a folder", file)
	}
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("-addr-file: %w", err)
	}
	return nil
}

// dialable is the address under which this machine reaches a listener; one that
// listens everywhere is reached at the loopback address.
func dialable(addr net.Addr) string {
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		addr = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: tcp.Port}
	}
	return addr.String()
}
