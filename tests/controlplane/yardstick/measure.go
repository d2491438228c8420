package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// report is one line of figures about a synced informer. Bytes are bytes of the process,
// microseconds are user plus system time of all its threads.
type report struct {
	Informer            string  `json:"informer"`
	Objects             int     `json:"objects"`
	WallMillis          float64 `json:"wallMillis"`
	CPUMicros           float64 `json:"cpuMicros"`
	CPUMicrosPerObject  float64 `json:"cpuMicrosPerObject"`
	RSSAfterSync        int64   `json:"rssAfterSync"`
	RSSAfterGC          int64   `json:"rssAfterGC"`
	PeakRSS             int64   `json:"peakRSS"`
	HeapInUse           uint64  `json:"heapInUse"`
	RSSPerObject        float64 `json:"rssPerObject"`
	RSSPerObjectAfterGC float64 `json:"rssPerObjectAfterGC"`
}

func measure(kind string, objects int, wall, cpu time.Duration) report {
	r := report{
		Informer:     kind,
		Objects:      objects,
		WallMillis:   float64(wall.Microseconds()) / 1000,
		CPUMicros:    float64(cpu.Microseconds()),
		RSSAfterSync: statusBytes("VmRSS:"),
		PeakRSS:      statusBytes("VmHWM:"),
	}
	debug.FreeOSMemory()
	r.RSSAfterGC = statusBytes("VmRSS:")
	var heap runtime.MemStats
	runtime.ReadMemStats(&heap)
	r.HeapInUse = heap.HeapInuse
	if objects > 0 {
		n := float64(objects)
		r.CPUMicrosPerObject = r.CPUMicros / n
		r.RSSPerObject = float64(r.RSSAfterSync) / n
		r.RSSPerObjectAfterGC = float64(r.RSSAfterGC) / n
	}
	return r
}

// usage is the CPU time that this process has used.
func usage() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// statusBytes reads one kB field of /proc/self/status; 0 where there is no such file.
func statusBytes(field string) int64 {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if rest, found := strings.CutPrefix(line, field); found {
			kilobytes, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kilobytes * 1024
		}
	}
	return 0
}
