// guard runs one command and makes sure that it does not outlive the test that wanted it.
//
//	guard [-log FILE] [-stdout FILE] [-cleanup DIR] COMMAND [ARG...]
//
// The first line on standard output is "pid N", the command's process id. The command is
// killed, with its whole process group, as soon as guard's standard input ends. The holder
// of the other end of that pipe is the test process, so the kernel ends it even when the
// test was killed with SIGKILL. With -cleanup the directory is removed afterwards.
// guard exits as a shell reports the command: its exit code, or 128 plus the signal's number.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

func main() {
	log := flag.String("log", "", "file that takes the command's output (appended)")
	stdout := flag.String("stdout", "", "file that takes standard output instead (appended)")
	cleanup := flag.String("cleanup", "", "directory to remove after the command has ended")
	flag.Parse()
	if flag.NArg() == 0 {
		fail("usage: guard [-log FILE] [-stdout FILE] [-cleanup DIR] COMMAND [ARG...]")
	}

	// The parent-death signal follows the thread that forked, so that thread must stay.
	runtime.LockOSThread()
	command := exec.Command(flag.Arg(0), flag.Args()[1:]...)
	command.SysProcAttr = childAttributes()
	if *log != "" {
		file := open(*log)
		command.Stdout, command.Stderr = file, file
	}
	if *stdout != "" {
		command.Stdout = open(*stdout)
	}
	if err := command.Start(); err != nil {
		fail(err.Error())
	}
	fmt.Printf("pid %d\n", command.Process.Pid)

	exited := make(chan int, 1)
	go func() {
		_ = command.Wait()
		code := command.ProcessState.ExitCode()
		if status, ok := command.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			code = 128 + int(status.Signal())
		}
		exited <- code
	}()
	stop := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(stop)
	}()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)

	code, ended := 137, false
	select {
	case code = <-exited:
		ended = true
	case <-stop:
	case <-signals:
	}
	// The group may hold more than the command itself; ESRCH only says that it is gone.
	_ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL)
	if !ended {
		select {
		case <-exited:
		case <-time.After(10 * time.Second):
		}
	}
	if *cleanup != "" {
		// A sibling process of the same directory may still be dying: try a few times.
		for attempt := 0; attempt < 20 && os.RemoveAll(*cleanup) != nil; attempt++ {
			time.Sleep(50 * time.Millisecond)
		}
	}
	os.Exit(code)
}

func open(name string) *os.File {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		fail(err.Error())
	}
	return file
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, "guard:", message)
	os.Exit(2)
}
