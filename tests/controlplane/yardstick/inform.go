package main

import (
	"bufio"
	"context"
	"errors"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// event is one line of -latency.
type event struct {
	Event           string `json:"event"`
	Key             string `json:"key,omitempty"`
	ResourceVersion string `json:"resourceVersion,omitempty"`
	ReceivedNanos   int64  `json:"receivedNanos"`
}

func inform(ctx context.Context, config *rest.Config, o options) error {
	before := usage()
	started := time.Now()
	informer, kind, err := newInformer(config, o)
	if err != nil {
		return err
	}
	if o.strip {
		if err := informer.SetTransform(stripManagedFields); err != nil {
			return err
		}
	}
	handler := cache.ResourceEventHandlerFuncs{}
	if o.latency {
		handler = latencyHandler()
	}
	registration, err := informer.AddEventHandler(handler)
	if err != nil {
		return err
	}
	go informer.RunWithContext(ctx)
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced, registration.HasSynced) {
		return errors.New("stopped before the cache was synced")
	}
	wall, cpu := time.Since(started), usage()-before

	if o.latency {
		if err := emit(event{Event: "synced", ReceivedNanos: time.Now().UnixNano()}); err != nil {
			return err
		}
		<-ctx.Done()
		return nil
	}
	objects := len(informer.GetStore().ListKeys())
	if err := emit(measure(kind, objects, wall, cpu)); err != nil {
		return err
	}
	if o.hold {
		lines := bufio.NewScanner(os.Stdin)
		for lines.Scan() {
			objects := len(informer.GetStore().ListKeys())
			if err := emit(measure(kind, objects, time.Since(started), usage()-before)); err != nil {
				return err
			}
		}
	}
	return nil
}

func newInformer(config *rest.Config, o options) (cache.SharedIndexInformer, string, error) {
	pods := corev1.SchemeGroupVersion.WithResource("pods")
	switch {
	case o.metadata:
		client, err := metadata.NewForConfig(config)
		if err != nil {
			return nil, "", err
		}
		// Metadata has no spec, so this one is without the node index.
		informer := metadatainformer.NewFilteredMetadataInformer(client, pods, o.namespace, 0, cache.Indexers{}, nil)
		return informer.Informer(), "metadata", nil
	case o.dynamic:
		client, err := dynamic.NewForConfig(config)
		if err != nil {
			return nil, "", err
		}
		informer := dynamicinformer.NewFilteredDynamicInformer(client, pods, o.namespace, 0, byNode(), nil)
		return informer.Informer(), "dynamic", nil
	default:
		client, err := kubernetes.NewForConfig(config)
		if err != nil {
			return nil, "", err
		}
		kind := "typed-protobuf"
		if o.json {
			kind = "typed-json"
		}
		return coreinformers.NewPodInformer(client, o.namespace, 0, byNode()), kind, nil
	}
}

func byNode() cache.Indexers {
	return cache.Indexers{"spec.nodeName": func(object any) ([]string, error) {
		switch pod := object.(type) {
		case *corev1.Pod:
			return []string{pod.Spec.NodeName}, nil
		case *unstructured.Unstructured:
			node, _, err := unstructured.NestedString(pod.Object, "spec", "nodeName")
			return []string{node}, err
		}
		return nil, nil
	}}
}

func stripManagedFields(object any) (any, error) {
	if accessor, err := meta.Accessor(object); err == nil {
		accessor.SetManagedFields(nil)
	}
	return object, nil
}

func latencyHandler() cache.ResourceEventHandlerFuncs {
	print := func(kind string, object any) {
		received := time.Now().UnixNano()
		if tombstone, ok := object.(cache.DeletedFinalStateUnknown); ok {
			object = tombstone.Obj
		}
		accessor, err := meta.Accessor(object)
		if err != nil {
			return
		}
		_ = emit(event{
			Event:           kind,
			Key:             accessor.GetNamespace() + "/" + accessor.GetName(),
			ResourceVersion: accessor.GetResourceVersion(),
			ReceivedNanos:   received,
		})
	}
	return cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { print("add", object) },
		UpdateFunc: func(_, object any) { print("update", object) },
		DeleteFunc: func(object any) { print("delete", object) },
	}
}
