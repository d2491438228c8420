package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	informerv1alpha1 "github.com/informerd/informerd/clients/go/informer/v1alpha1"
)

const (
	firstDelay = 100 * time.Millisecond
	maxDelay   = 5 * time.Second
	// saveEvery bounds the work of saving: an older token with its own keys is right too, it only repeats some events.
	saveEvery = time.Second
	// silentIntervals is how many bookmarks may fail to come before the stream is taken for dead.
	silentIntervals = 3
)

var (
	// errDone ends the program: it has seen what it was asked to wait for.
	errDone = errors.New("done")
	// errSave ends the program: it cannot keep its state.
	errSave = errors.New("saving the token")
)

type followOptions struct {
	resource, namespace string
	projection          *informerv1alpha1.Projection
	stateFile           string
	untilSynced         bool
	events              uint64
}

// follower keeps a watch open across everything that can end one:
//
//	        ┌──────────────── jittered backoff ────────────────┐
//	        v                                                  │
//	load -> watch from token or snapshot -> apply -> save ... end of stream
type follower struct {
	watches  informerv1alpha1.SubscriptionServiceClient
	options  followOptions
	held     *held
	saved    time.Time
	received uint64        // events printed
	failures int           // attempts since the last complete view
	pause    time.Duration // what the server asked for before the next attempt
}

func newFollower(conn *grpc.ClientConn, options followOptions) (*follower, error) {
	held, err := loadHeld(options.stateFile)
	if err != nil {
		return nil, err
	}
	return &follower{watches: informerv1alpha1.NewSubscriptionServiceClient(conn), options: options, held: held}, nil
}

// run follows until the context ends, the program is done, or the server says that the request itself is wrong.
func (f *follower) run(ctx context.Context) error {
	for {
		err := f.watch(ctx)
		switch {
		case errors.Is(err, errDone), ctx.Err() != nil:
			return f.save()
		case errors.Is(err, errSave):
			return err
		case isRequestError(err):
			return errors.Join(err, f.save())
		}
		delay := f.nextDelay()
		fmt.Fprintf(os.Stderr, "example: %v; next attempt in %v\n", err, delay.Round(time.Millisecond))
		select {
		case <-ctx.Done():
			return f.save()
		case <-time.After(delay):
		}
	}
}

// watch runs one stream to its end and returns why it ended, never nil.
func (f *follower) watch(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stream, err := f.watches.Watch(ctx, f.request())
	if err != nil {
		return err
	}
	// informerd sends `created` at once and then at least a bookmark per interval: silence means a connection that died
	// without a word. 15 s is the default interval.
	silence := silentIntervals * 15 * time.Second
	watchdog := time.AfterFunc(silence, func() { cancel(errors.New("the stream went silent")) })
	defer watchdog.Stop()
	for {
		response, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return errors.New("the server ended the stream")
		}
		if err != nil {
			if cause := context.Cause(ctx); cause != nil {
				return cause
			}
			return err
		}
		if created := response.GetCreated(); created.GetBookmarkInterval() != nil {
			silence = silentIntervals * created.GetBookmarkInterval().AsDuration()
		}
		watchdog.Stop() // not while the reader of standard output makes us wait
		if err := f.apply(response); err != nil {
			return err
		}
		watchdog.Reset(silence)
	}
}

func (f *follower) request() *informerv1alpha1.WatchRequest {
	request := &informerv1alpha1.WatchRequest{
		Informer:   byResource(f.options.resource),
		Filter:     in(f.options.namespace),
		Projection: f.options.projection,
		ClientId:   "go-example",
	}
	if len(f.held.token) > 0 {
		request.Start = &informerv1alpha1.WatchRequest_Resume{Resume: &informerv1alpha1.StartResume{Token: f.held.token}}
	} else {
		request.Start = &informerv1alpha1.WatchRequest_Snapshot{Snapshot: &informerv1alpha1.StartSnapshot{}}
	}
	return request
}

// apply takes one message: first its events, then its control frame, and last its token, which stands for all of them.
func (f *follower) apply(response *informerv1alpha1.WatchResponse) error {
	for i, event := range response.GetEvents() {
		f.applyEvent(event)
		if f.received++; f.received == f.options.events {
			if i == len(response.GetEvents())-1 && response.GetControl() == nil {
				f.keepToken(response)
			}
			return errDone
		}
	}
	synced := f.applyControl(response)
	f.keepToken(response)
	if synced && f.options.untilSynced {
		return errDone
	}
	if f.options.stateFile != "" && len(response.GetResumeToken()) > 0 && time.Since(f.saved) >= saveEvery {
		return f.save()
	}
	return nil
}

func (f *follower) keepToken(response *informerv1alpha1.WatchResponse) {
	if len(response.GetResumeToken()) > 0 {
		f.held.token = response.GetResumeToken()
	}
}

func (f *follower) applyEvent(event *informerv1alpha1.WatchEvent) {
	ref := event.GetRef()
	k := key{ref.GetNamespace(), ref.GetName()}
	resourceVersion := ref.GetResourceVersion()
	if event.GetType() == informerv1alpha1.EventType_EVENT_TYPE_DELETED {
		// The version of the deletion itself; the ref has that of the last state.
		resourceVersion = event.GetResourceVersion()
		f.held.remove(k)
	} else {
		f.held.put(k, resourceVersion)
	}
	printLine(eventLine{
		Type:            strings.TrimPrefix(event.GetType().String(), "EVENT_TYPE_"),
		Cause:           strings.TrimPrefix(event.GetCause().String(), "EVENT_CAUSE_"),
		Namespace:       k.namespace,
		Name:            k.name,
		ResourceVersion: resourceVersion,
		Revision:        event.GetRevision(),
		Bytes:           len(event.GetObject().GetData()),
	})
}

// applyControl prints the control frame, if there is one, and says whether the view is complete now.
func (f *follower) applyControl(response *informerv1alpha1.WatchResponse) (synced bool) {
	switch control := response.GetControl().(type) {
	case *informerv1alpha1.WatchResponse_Created:
		mode := control.Created.GetMode()
		// A snapshot puts in doubt whatever is held, also if no `reset` announces it: the stream before this one may have
		// ended inside its snapshot, before there was a token.
		if mode == informerv1alpha1.WatchMode_WATCH_MODE_SNAPSHOT {
			f.held.mark()
		} else {
			f.held.unmark()
		}
		line := statusLine("created", control.Created.GetStatus())
		line.Mode = strings.TrimPrefix(mode.String(), "WATCH_MODE_")
		printLine(line)
	case *informerv1alpha1.WatchResponse_Reset_:
		f.held.mark()
		printLine(controlLine{Control: "reset", Reason: strings.TrimPrefix(control.Reset_.GetReason().String(), "RESET_REASON_")})
	case *informerv1alpha1.WatchResponse_Synced:
		f.failures, f.pause = 0, 0
		gone, versions := f.held.sweep()
		for i, k := range gone {
			printLine(eventLine{
				Type: "SWEPT", Cause: "RESET", Namespace: k.namespace, Name: k.name,
				ResourceVersion: versions[i], Revision: control.Synced.GetStatus().GetRevision(),
			})
		}
		line := statusLine("synced", control.Synced.GetStatus())
		count := control.Synced.GetObjectCount()
		line.ObjectCount, line.Digest = &count, fmt.Sprintf("%016x", control.Synced.GetDigest())
		printLine(line)
		return true
	case *informerv1alpha1.WatchResponse_Bookmark:
		line := statusLine("bookmark", control.Bookmark.GetStatus())
		count, lag := control.Bookmark.GetObjectCount(), control.Bookmark.GetLagEvents()
		line.ObjectCount, line.Digest, line.LagEvents = &count, fmt.Sprintf("%016x", control.Bookmark.GetDigest()), &lag
		printLine(line)
	case *informerv1alpha1.WatchResponse_Terminating:
		f.pause = time.Second
		if delay := control.Terminating.GetRetryDelay(); delay != nil {
			f.pause = delay.AsDuration()
		}
		printLine(controlLine{Control: "terminating", Reason: strings.TrimPrefix(control.Terminating.GetReason().String(), "TERMINATING_REASON_")})
	}
	return false
}

func statusLine(control string, status *informerv1alpha1.CacheStatus) controlLine {
	revision, resourceVersion := status.GetRevision(), status.GetResourceVersion()
	return controlLine{
		Control:         control,
		Epoch:           status.GetEpoch(),
		Revision:        &revision,
		ResourceVersion: &resourceVersion,
		UpstreamState:   strings.TrimPrefix(status.GetUpstreamState().String(), "UPSTREAM_STATE_"),
	}
}

func (f *follower) save() error {
	if f.options.stateFile == "" {
		return nil
	}
	f.saved = time.Now()
	if err := f.held.save(f.options.stateFile); err != nil {
		return fmt.Errorf("%w: %w", errSave, err)
	}
	return nil
}

// nextDelay doubles from attempt to attempt up to a cap, with jitter so that many clients do not come back at once.
func (f *follower) nextDelay() time.Duration {
	delay := min(firstDelay<<min(f.failures, 10), maxDelay)
	f.failures++
	atLeast := max(delay/2, f.pause)
	f.pause = 0
	return atLeast + rand.N(delay/2+1)
}

// isRequestError tells errors that no repetition cures from those that go away: a server that is not there, shuts down,
// or has not synced.
func isRequestError(err error) bool {
	switch status.Code(err) {
	case codes.InvalidArgument, codes.NotFound, codes.Unimplemented, codes.PermissionDenied, codes.Unauthenticated:
		return true
	}
	return false
}
