package main

import (
	"fmt"
	"net/url"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials/insecure"

	informerv1alpha1 "github.com/informerd/informerd/clients/go/informer/v1alpha1"
)

const defaultServer = "unix:///run/informerd/informerd.sock"

func serverFromEnvironment() string {
	if server := os.Getenv("INFORMERD_SERVER"); server != "" {
		return server
	}
	return defaultServer
}

// connect opens a channel to unix:///path or http://host:port. It does not wait for the server.
func connect(server string) (*grpc.ClientConn, error) {
	address, err := url.Parse(server)
	if err != nil {
		return nil, fmt.Errorf("server address %q: %w", server, err)
	}
	var target string
	switch {
	case address.Scheme == "unix" && address.Host == "" && address.Path != "":
		// grpc-go sends the authority "localhost" on Unix sockets, which is what informerd wants.
		target = "unix://" + address.Path
	case address.Scheme == "http" && address.Port() != "":
		target = "dns:///" + address.Host
	default:
		return nil, fmt.Errorf("server address %q is neither unix:///path nor http://host:port", server)
	}
	return grpc.NewClient(target,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		// The default lets the pause between connection attempts grow to two minutes. Calls fail during the pause, so a
		// sidecar that was away for long would be found again late.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 2, Jitter: 0.2, MaxDelay: maxDelay},
			MinConnectTimeout: 5 * time.Second,
		}),
	)
}

// byResource selects the informer of a resource; informerd starts one if there is none.
func byResource(resource string) *informerv1alpha1.InformerSelector {
	return &informerv1alpha1.InformerSelector{By: &informerv1alpha1.InformerSelector_Resource{
		Resource: &informerv1alpha1.ResourceRef{Resource: resource},
	}}
}

func projectionOf(view string) (*informerv1alpha1.Projection, error) {
	views := map[string]informerv1alpha1.View{
		"reference": informerv1alpha1.View_VIEW_REFERENCE,
		"metadata":  informerv1alpha1.View_VIEW_METADATA,
		"full":      informerv1alpha1.View_VIEW_FULL,
	}
	if v, ok := views[view]; ok {
		return &informerv1alpha1.Projection{View: v}, nil
	}
	return nil, fmt.Errorf("--view %q is none of reference, metadata, full", view)
}

// in makes a filter of one namespace, or of all if it is empty.
func in(namespace string) *informerv1alpha1.Filter {
	filter := &informerv1alpha1.Filter{}
	if namespace != "" {
		filter.Namespaces = []string{namespace}
	}
	return filter
}
