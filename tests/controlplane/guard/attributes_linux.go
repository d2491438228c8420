package main

import "syscall"

// childAttributes puts the command in a process group of its own and has the kernel kill
// it if guard itself is killed.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
