// yardstick is what informerd is measured against: client-go's own informer, on the same
// server and the same data. Three modes, all of which write JSON lines to standard output:
//
//	yardstick -kubeconfig F [-json | -metadata | -dynamic] [-strip-managed-fields] [-hold]
//	    syncs a pod informer with one index by spec.nodeName and prints one report. With
//	    -hold it goes on running and prints a new report for each line on standard input
//	    until that ends.
//	yardstick -kubeconfig F -latency [flags above]
//	    prints a "synced" line and then one line per event with the local receive time.
//	yardstick -kubeconfig F -load -namespace N [-pods P] [-requests R] [-rate S] [-node NAME]
//	    creates P pods if they are missing, then patches them R times at S per second and
//	    prints for each write the time before the request and after the response.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// options are the flags of all modes.
type options struct {
	kubeconfig, namespace, node string
	json, metadata, dynamic     bool
	strip, hold, latency, load  bool
	pods, requests              int
	rate                        float64
}

func main() {
	var o options
	flag.StringVar(&o.kubeconfig, "kubeconfig", "", "kubeconfig file")
	flag.StringVar(&o.namespace, "namespace", "", "namespace; empty is all (required by -load)")
	flag.StringVar(&o.node, "node", "node-0", "spec.nodeName of the pods that -load creates")
	flag.BoolVar(&o.json, "json", false, "typed informer that asks for JSON")
	flag.BoolVar(&o.metadata, "metadata", false, "metadata-only informer")
	flag.BoolVar(&o.dynamic, "dynamic", false, "dynamic (unstructured) informer")
	flag.BoolVar(&o.strip, "strip-managed-fields", false, "drop managedFields by a transform")
	flag.BoolVar(&o.hold, "hold", false, "stay and report again for each line on stdin")
	flag.BoolVar(&o.latency, "latency", false, "print every event with its receive time")
	flag.BoolVar(&o.load, "load", false, "write pods and print when")
	flag.IntVar(&o.pods, "pods", 100, "pods that -load writes to")
	flag.IntVar(&o.requests, "requests", 1000, "patches that -load sends")
	flag.Float64Var(&o.rate, "rate", 50, "patches per second")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "yardstick:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	config, err := clientcmd.BuildConfigFromFlags("", o.kubeconfig)
	if err != nil {
		return err
	}
	// The default client-side limit of 5 requests a second would measure the limiter.
	config.QPS, config.Burst = -1, 0
	if o.json {
		config = withJSON(config)
	}
	if o.load {
		return load(ctx, config, o)
	}
	return inform(ctx, config, o)
}

// withJSON says explicitly what the generated clients would else override.
func withJSON(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	config.AcceptContentTypes = "application/json"
	config.ContentType = "application/json"
	return config
}

var output sync.Mutex

// emit writes one JSON line.
func emit(value any) error {
	line, err := json.Marshal(value)
	if err != nil {
		return err
	}
	output.Lock()
	defer output.Unlock()
	_, err = os.Stdout.Write(append(line, '\n'))
	return err
}
