// historian runs one of client-go's shared informers and writes a JSON line for each call of
// its handler, in the order in which they are made:
//
//	{"call":"add","key":"ns/name","uid":"...","version":"12","initial":true}
//	{"call":"update","key":"ns/name","uid":"...","version":"15","oldUid":"...","oldVersion":"12"}
//	{"call":"delete","key":"ns/name","uid":"...","version":"17","tombstone":true}
//	{"call":"synced"}
//
// A line "store" on standard input is answered with the store's content,
//
//	{"call":"store","version":"17","objects":{"ns/name":"15"}}
//
// and the end of standard input ends the program, so that it never outlives its test.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

type options struct {
	kubeconfig, group, version, resource, namespace, selector string
}

// line is one line of output; what does not apply is left out.
type line struct {
	Call       string            `json:"call"`
	Key        string            `json:"key,omitempty"`
	UID        string            `json:"uid,omitempty"`
	Version    string            `json:"version,omitempty"`
	OldUID     string            `json:"oldUid,omitempty"`
	OldVersion string            `json:"oldVersion,omitempty"`
	Initial    bool              `json:"initial,omitempty"`
	Tombstone  bool              `json:"tombstone,omitempty"`
	Objects    map[string]string `json:"objects,omitempty"`
}

func main() {
	var o options
	flag.StringVar(&o.kubeconfig, "kubeconfig", "", "the cluster")
	flag.StringVar(&o.group, "group", "", "API group")
	flag.StringVar(&o.version, "version", "v1", "API version")
	flag.StringVar(&o.resource, "resource", "pods", "plural name")
	flag.StringVar(&o.namespace, "namespace", "", "namespace; all if empty")
	flag.StringVar(&o.selector, "selector", "", "label selector")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "historian:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	config, err := clientcmd.BuildConfigFromFlags("", o.kubeconfig)
	if err != nil {
		return err
	}
	// The client-side limit of 5 requests a second is of no interest here.
	config.QPS, config.Burst = -1, 0
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	resource := schema.GroupVersionResource{Group: o.group, Version: o.version, Resource: o.resource}
	informer := dynamicinformer.NewFilteredDynamicInformer(client, resource, o.namespace, 0, cache.Indexers{},
		func(list *metav1.ListOptions) { list.LabelSelector = o.selector }).Informer()
	handle, err := informer.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(object any, initial bool) {
			emit(describe("add", object, func(l *line) { l.Initial = initial }))
		},
		UpdateFunc: func(old, object any) {
			before := describe("", old, nil)
			emit(describe("update", object, func(l *line) { l.OldUID, l.OldVersion = before.UID, before.Version }))
		},
		DeleteFunc: func(object any) {
			tombstone, final := object.(cache.DeletedFinalStateUnknown)
			if final {
				object = tombstone.Obj
			}
			emit(describe("delete", object, func(l *line) { l.Tombstone = final }))
		},
	})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go informer.RunWithContext(ctx)
	go func() {
		if cache.WaitForCacheSync(ctx.Done(), handle.HasSynced) {
			emit(line{Call: "synced"})
		}
	}()
	commands := bufio.NewScanner(os.Stdin)
	for commands.Scan() {
		if commands.Text() == "store" {
			emit(content(informer))
		}
	}
	return commands.Err()
}

func content(informer cache.SharedIndexInformer) line {
	answer := line{Call: "store", Version: informer.LastSyncResourceVersion(), Objects: map[string]string{}}
	for _, object := range informer.GetStore().List() {
		found := describe("", object, nil)
		answer.Objects[found.Key] = found.Version
	}
	return answer
}

func describe(call string, object any, more func(*line)) line {
	found := line{Call: call}
	accessor, err := meta.Accessor(object)
	if err != nil {
		// A call without an object is a difference that the test must see.
		found.Key = err.Error()
		return found
	}
	found.Key = accessor.GetNamespace() + "/" + accessor.GetName()
	found.UID, found.Version = string(accessor.GetUID()), accessor.GetResourceVersion()
	if more != nil {
		more(&found)
	}
	return found
}

var output sync.Mutex

// emit writes one line. Nobody reads on if that fails, so the program ends.
func emit(l line) {
	text, err := json.Marshal(l)
	if err == nil {
		output.Lock()
		defer output.Unlock()
		_, err = os.Stdout.Write(append(text, '\n'))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "historian:", err)
		os.Exit(1)
	}
}
