package io.informerd.example;

import io.grpc.ManagedChannel;
import io.informerd.v1alpha1.CacheServiceGrpc;
import io.informerd.v1alpha1.CachedObject;
import io.informerd.v1alpha1.GetObjectRequest;
import io.informerd.v1alpha1.IndexFilter;
import io.informerd.v1alpha1.ListObjectsRequest;
import io.informerd.v1alpha1.ListObjectsResponse;
import io.informerd.v1alpha1.ObjectKey;
import io.informerd.v1alpha1.ObjectPayload;
import io.informerd.v1alpha1.Omitted;
import io.informerd.v1alpha1.Projection;
import io.informerd.v1alpha1.View;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Unary calls: an index lookup and a get. */
final class Queries {
  /** Bounds a unary call. It is longer than informerd's own wait for a cache that is not synced (3 s). */
  private static final long CALL_TIMEOUT_SECONDS = 10;

  private Queries() {}

  /**
   * Prints the objects that stand under a value of an index, page by page. All pages come from the snapshot that the
   * first one was served from.
   */
  static void listByIndex(ManagedChannel channel, Options options) throws IOException {
    ListObjectsRequest.Builder request =
        ListObjectsRequest.newBuilder()
            .setInformer(Connection.byResource(options.resource()))
            .setFilter(
                Connection.inNamespace(options.namespace()).toBuilder()
                    .setIndex(
                        IndexFilter.newBuilder()
                            .setName(options.index())
                            .addValues(options.value())))
            .setProjection(Projection.newBuilder().setView(View.VIEW_REFERENCE))
            .setPageSize(options.pageSize());
    do {
      ListObjectsResponse page = cache(channel).listObjects(request.build());
      for (CachedObject object : page.getObjectsList()) {
        Output.print(
            Output.line(
                "namespace", object.getRef().getNamespace(),
                "name", object.getRef().getName(),
                "resourceVersion", object.getRef().getResourceVersion()));
      }
      // A short page is not the end; an empty token is.
      request.setPageToken(page.getNextPageToken());
    } while (!request.getPageToken().isEmpty());
  }

  /** Prints the JSON of one object as the API server sent it, apart from what informerd's transform cuts. */
  static void get(ManagedChannel channel, Options options) throws IOException {
    ObjectPayload body =
        cache(channel)
            .getObject(
                GetObjectRequest.newBuilder()
                    .setInformer(Connection.byResource(options.resource()))
                    .setKey(
                        ObjectKey.newBuilder()
                            .setNamespace(options.namespace())
                            .setName(options.name()))
                    .build())
            .getObject()
            .getObject();
    if (body.getOmitted() != Omitted.OMITTED_UNSPECIFIED) {
      throw new IOException("the body was omitted: " + body.getOmitted());
    }
    Output.printBytes(body.getData().toByteArray());
  }

  private static CacheServiceGrpc.CacheServiceBlockingStub cache(ManagedChannel channel) {
    return CacheServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(CALL_TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }
}
