//go:build !linux

package main

import "syscall"

// childAttributes puts the command in a process group of its own. Without a parent-death
// signal the command survives only if guard itself is killed with SIGKILL.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}
