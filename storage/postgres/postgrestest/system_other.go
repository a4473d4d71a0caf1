//go:build !linux

package postgrestest

import "syscall"

func attributes() *syscall.SysProcAttr { return nil }

// become is for systems on which root runs tests.
func become(int, int) *syscall.SysProcAttr { return nil }
