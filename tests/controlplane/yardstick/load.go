package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// write is one line of -load.
type write struct {
	Write           string `json:"write"`
	Key             string `json:"key"`
	ResourceVersion string `json:"resourceVersion"`
	BeforeNanos     int64  `json:"beforeNanos"`
	AfterNanos      int64  `json:"afterNanos"`
}

func load(ctx context.Context, config *rest.Config, o options) error {
	if o.namespace == "" || o.pods <= 0 || o.rate <= 0 {
		return errors.New("-load needs -namespace, -pods and -rate")
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: o.namespace}}
	if _, err := client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil &&
		!apierrors.IsAlreadyExists(err) {
		return err
	}
	pods := client.CoreV1().Pods(o.namespace)
	for i := range o.pods {
		before := time.Now()
		created, err := pods.Create(ctx, loadPod(i, o.node), metav1.CreateOptions{})
		if apierrors.IsAlreadyExists(err) {
			continue
		}
		if err != nil {
			return err
		}
		if err := emitWrite("create", created, before); err != nil {
			return err
		}
	}

	// An absolute schedule: a slow write does not lower the rate of the ones after it.
	interval := time.Duration(float64(time.Second) / o.rate)
	next := time.Now()
	for i := range o.requests {
		next = next.Add(interval)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Until(next)):
		}
		patch := fmt.Sprintf(`{"metadata":{"annotations":{"yardstick/write":"%d"}}}`, i)
		before := time.Now()
		patched, err := pods.Patch(ctx, loadName(i%o.pods), types.MergePatchType, []byte(patch), metav1.PatchOptions{})
		if err != nil {
			return err
		}
		if err := emitWrite("patch", patched, before); err != nil {
			return err
		}
	}
	return nil
}

func emitWrite(kind string, pod *corev1.Pod, before time.Time) error {
	return emit(write{
		Write:           kind,
		Key:             pod.Namespace + "/" + pod.Name,
		ResourceVersion: pod.ResourceVersion,
		BeforeNanos:     before.UnixNano(),
		AfterNanos:      time.Now().UnixNano(),
	})
}

func loadName(i int) string { return fmt.Sprintf("yardstick-%05d", i) }

func loadPod(i int, node string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name:   loadName(i),
			Labels: map[string]string{"app": "yardstick", "shard": fmt.Sprint(i % 10)},
		},
		Spec: corev1.PodSpec{
			NodeName:   node,
			Containers: []corev1.Container{{Name: "main", Image: "registry.example/yardstick:1"}},
		},
	}
}
