package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// key identifies an object inside one resource.
type key struct{ namespace, name string }

// held is what the client knows: the objects that it was told of and has not been told the end of, and the token to go
// on from. Both belong together: a token that is kept without the keys leaves those for ever that vanish while the
// client and the sidecar are down, since after a reset nothing says that they are gone.
type held struct {
	token   []byte
	objects map[key]string // resourceVersion
	// marked are the keys that the snapshot being received has not confirmed yet.
	marked map[key]struct{}
}

// mark begins a new snapshot: everything held is in doubt until it comes again.
func (h *held) mark() {
	h.marked = make(map[key]struct{}, len(h.objects))
	for k := range h.objects {
		h.marked[k] = struct{}{}
	}
}

// unmark says that no snapshot comes: what is held is completed by what follows.
func (h *held) unmark() { h.marked = nil }

func (h *held) put(k key, resourceVersion string) {
	h.objects[k] = resourceVersion
	delete(h.marked, k)
}

func (h *held) remove(k key) {
	delete(h.objects, k)
	delete(h.marked, k)
}

// sweep ends a snapshot: it forgets the keys that did not come again and returns them in order, with their last
// resourceVersion.
func (h *held) sweep() (gone []key, versions []string) {
	for k := range h.marked {
		gone = append(gone, k)
	}
	slices.SortFunc(gone, compareKeys)
	for _, k := range gone {
		versions = append(versions, h.objects[k])
		delete(h.objects, k)
	}
	h.marked = nil
	return gone, versions
}

func compareKeys(a, b key) int {
	return cmp.Or(cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.name, b.name))
}

// savedState is the content of the token file; the Go, Python and Java examples read each other's.
type savedState struct {
	Token []byte      `json:"token"` // base64 in the file
	Held  [][3]string `json:"held"`  // namespace, name, resourceVersion
}

// loadHeld reads the token file; a missing one means a client that knows nothing yet.
func loadHeld(path string) (*held, error) {
	h := &held{objects: map[key]string{}}
	if path == "" {
		return h, nil
	}
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	if err != nil {
		return nil, err
	}
	var saved savedState
	if err := json.Unmarshal(content, &saved); err != nil {
		return nil, fmt.Errorf("token file %s: %w", path, err)
	}
	h.token = saved.Token
	for _, object := range saved.Held {
		h.objects[key{object[0], object[1]}] = object[2]
	}
	return h, nil
}

// save replaces the token file in one step, so that a crash leaves the old one or the new one, each whole.
func (h *held) save(path string) error {
	saved := savedState{Token: h.token, Held: make([][3]string, 0, len(h.objects))}
	if saved.Token == nil {
		saved.Token = []byte{}
	}
	for k, resourceVersion := range h.objects {
		saved.Held = append(saved.Held, [3]string{k.namespace, k.name, resourceVersion})
	}
	content, err := json.Marshal(saved)
	if err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) // fails once renamed
	_, err = temporary.Write(append(content, '\n'))
	err = errors.Join(err, temporary.Sync(), temporary.Close())
	if err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}
