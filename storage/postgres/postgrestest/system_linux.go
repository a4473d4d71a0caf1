package postgrestest

import "syscall"

// attributes let the server die with the process that started it.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// become lets it run as another user.
func become(uid, gid int) *syscall.SysProcAttr {
	a := attributes()
	a.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)} //nolint:gosec // of the system itself
	return a
}
