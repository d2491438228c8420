package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"google.golang.org/grpc"

	informerv1alpha1 "github.com/informerd/informerd/clients/go/informer/v1alpha1"
)

// callTimeout bounds a unary call. It is longer than informerd's own wait for a cache that is not synced (3 s).
const callTimeout = 10 * time.Second

// listByIndex prints the objects that stand under a value of an index, page by page. All pages come from the snapshot
// that the first one was served from.
func listByIndex(ctx context.Context, conn *grpc.ClientConn, resource, namespace, index, value string, pageSize int32) error {
	cache := informerv1alpha1.NewCacheServiceClient(conn)
	filter := in(namespace)
	filter.Index = &informerv1alpha1.IndexFilter{Name: index, Values: []string{value}}
	request := &informerv1alpha1.ListObjectsRequest{
		Informer:   byResource(resource),
		Filter:     filter,
		Projection: &informerv1alpha1.Projection{View: informerv1alpha1.View_VIEW_REFERENCE},
		PageSize:   pageSize,
	}
	for {
		page, err := listPage(ctx, cache, request)
		if err != nil {
			return err
		}
		for _, object := range page.GetObjects() {
			ref := object.GetRef()
			printLine(objectLine{ref.GetNamespace(), ref.GetName(), ref.GetResourceVersion()})
		}
		// A short page is not the end; an empty token is.
		if request.PageToken = page.GetNextPageToken(); request.PageToken == "" {
			return nil
		}
	}
}

func listPage(ctx context.Context, cache informerv1alpha1.CacheServiceClient, request *informerv1alpha1.ListObjectsRequest) (*informerv1alpha1.ListObjectsResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	return cache.ListObjects(ctx, request)
}

// get prints the JSON of one object as the API server sent it, apart from what informerd's transform cuts.
func get(ctx context.Context, conn *grpc.ClientConn, resource, namespace, name string) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	response, err := informerv1alpha1.NewCacheServiceClient(conn).GetObject(ctx, &informerv1alpha1.GetObjectRequest{
		Informer: byResource(resource),
		Key:      &informerv1alpha1.ObjectKey{Namespace: namespace, Name: name},
	})
	if err != nil {
		return err
	}
	body := response.GetObject().GetObject()
	if body.GetOmitted() != informerv1alpha1.Omitted_OMITTED_UNSPECIFIED {
		return fmt.Errorf("the body was omitted: %v", body.GetOmitted())
	}
	_, err = fmt.Fprintf(os.Stdout, "%s\n", body.GetData())
	return err
}
