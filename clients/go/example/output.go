package main

import (
	"encoding/json"
	"os"
)

// eventLine is one delta, or one key that a reset swept.
type eventLine struct {
	Type            string `json:"type"`
	Cause           string `json:"cause"`
	Namespace       string `json:"namespace"`
	Name            string `json:"name"`
	ResourceVersion string `json:"resourceVersion"`
	Revision        uint64 `json:"revision"`
	// Bytes is the length of the body; 0 with --view reference.
	Bytes int `json:"bytes"`
}

// controlLine is one control frame; what a frame does not have is left out.
type controlLine struct {
	Control         string  `json:"control"`
	Mode            string  `json:"mode,omitempty"`
	Reason          string  `json:"reason,omitempty"`
	ObjectCount     *uint64 `json:"objectCount,omitempty"`
	Digest          string  `json:"digest,omitempty"` // 16 hexadecimal digits: JSON numbers are not exact above 2^53
	Epoch           string  `json:"epoch,omitempty"`
	Revision        *uint64 `json:"revision,omitempty"`
	ResourceVersion *string `json:"resourceVersion,omitempty"`
	UpstreamState   string  `json:"upstreamState,omitempty"`
	LagEvents       *uint64 `json:"lagEvents,omitempty"`
}

// objectLine is one object of an index lookup.
type objectLine struct {
	Namespace       string `json:"namespace"`
	Name            string `json:"name"`
	ResourceVersion string `json:"resourceVersion"`
}

// printLine writes one line, at once. Nobody can be served whose standard output is gone, so that ends the program.
func printLine(line any) {
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(line); err != nil {
		os.Exit(1)
	}
}
