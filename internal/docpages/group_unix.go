//go:build unix

package docpages

import (
	"os/exec"
	"syscall"
)

// ownGroup lets a command and all that it starts be ended together.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func endGroup(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
