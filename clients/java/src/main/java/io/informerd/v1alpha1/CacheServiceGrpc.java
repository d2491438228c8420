package io.informerd.v1alpha1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * CacheService answers lister and index queries. One request is served from one immutable snapshot
 * (row S2), and its reply says which.
 * Errors of all calls: NOT_FOUND (INFORMER_NOT_FOUND, RESOURCE_NOT_FOUND, INDEX_NOT_FOUND), INVALID_ARGUMENT
 * (INVALID_SELECTOR, INVALID_POINTER, INVALID_TOKEN, INVALID_FIELD), UNAVAILABLE (CACHE_NOT_SYNCED, CACHE_NOT_FRESH, with
 * RetryInfo), FAILED_PRECONDITION (RESOURCE_VERSION_INCOMPARABLE, UPSTREAM_FORBIDDEN), ABORTED (PAGE_SNAPSHOT_EXPIRED).
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class CacheServiceGrpc {

  private CacheServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "informer.v1alpha1.CacheService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.GetObjectRequest,
      io.informerd.v1alpha1.GetObjectResponse> getGetObjectMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetObject",
      requestType = io.informerd.v1alpha1.GetObjectRequest.class,
      responseType = io.informerd.v1alpha1.GetObjectResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.GetObjectRequest,
      io.informerd.v1alpha1.GetObjectResponse> getGetObjectMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.GetObjectRequest, io.informerd.v1alpha1.GetObjectResponse> getGetObjectMethod;
    if ((getGetObjectMethod = CacheServiceGrpc.getGetObjectMethod) == null) {
      synchronized (CacheServiceGrpc.class) {
        if ((getGetObjectMethod = CacheServiceGrpc.getGetObjectMethod) == null) {
          CacheServiceGrpc.getGetObjectMethod = getGetObjectMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.GetObjectRequest, io.informerd.v1alpha1.GetObjectResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetObject"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.GetObjectRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.GetObjectResponse.getDefaultInstance()))
              .setSchemaDescriptor(new CacheServiceMethodDescriptorSupplier("GetObject"))
              .build();
        }
      }
    }
    return getGetObjectMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.BatchGetObjectsRequest,
      io.informerd.v1alpha1.BatchGetObjectsResponse> getBatchGetObjectsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "BatchGetObjects",
      requestType = io.informerd.v1alpha1.BatchGetObjectsRequest.class,
      responseType = io.informerd.v1alpha1.BatchGetObjectsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.BatchGetObjectsRequest,
      io.informerd.v1alpha1.BatchGetObjectsResponse> getBatchGetObjectsMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.BatchGetObjectsRequest, io.informerd.v1alpha1.BatchGetObjectsResponse> getBatchGetObjectsMethod;
    if ((getBatchGetObjectsMethod = CacheServiceGrpc.getBatchGetObjectsMethod) == null) {
      synchronized (CacheServiceGrpc.class) {
        if ((getBatchGetObjectsMethod = CacheServiceGrpc.getBatchGetObjectsMethod) == null) {
          CacheServiceGrpc.getBatchGetObjectsMethod = getBatchGetObjectsMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.BatchGetObjectsRequest, io.informerd.v1alpha1.BatchGetObjectsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "BatchGetObjects"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.BatchGetObjectsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.BatchGetObjectsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new CacheServiceMethodDescriptorSupplier("BatchGetObjects"))
              .build();
        }
      }
    }
    return getBatchGetObjectsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.ListObjectsRequest,
      io.informerd.v1alpha1.ListObjectsResponse> getListObjectsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListObjects",
      requestType = io.informerd.v1alpha1.ListObjectsRequest.class,
      responseType = io.informerd.v1alpha1.ListObjectsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.ListObjectsRequest,
      io.informerd.v1alpha1.ListObjectsResponse> getListObjectsMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.ListObjectsRequest, io.informerd.v1alpha1.ListObjectsResponse> getListObjectsMethod;
    if ((getListObjectsMethod = CacheServiceGrpc.getListObjectsMethod) == null) {
      synchronized (CacheServiceGrpc.class) {
        if ((getListObjectsMethod = CacheServiceGrpc.getListObjectsMethod) == null) {
          CacheServiceGrpc.getListObjectsMethod = getListObjectsMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.ListObjectsRequest, io.informerd.v1alpha1.ListObjectsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListObjects"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.ListObjectsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.ListObjectsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new CacheServiceMethodDescriptorSupplier("ListObjects"))
              .build();
        }
      }
    }
    return getListObjectsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.ListObjectKeysRequest,
      io.informerd.v1alpha1.ListObjectKeysResponse> getListObjectKeysMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListObjectKeys",
      requestType = io.informerd.v1alpha1.ListObjectKeysRequest.class,
      responseType = io.informerd.v1alpha1.ListObjectKeysResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.ListObjectKeysRequest,
      io.informerd.v1alpha1.ListObjectKeysResponse> getListObjectKeysMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.ListObjectKeysRequest, io.informerd.v1alpha1.ListObjectKeysResponse> getListObjectKeysMethod;
    if ((getListObjectKeysMethod = CacheServiceGrpc.getListObjectKeysMethod) == null) {
      synchronized (CacheServiceGrpc.class) {
        if ((getListObjectKeysMethod = CacheServiceGrpc.getListObjectKeysMethod) == null) {
          CacheServiceGrpc.getListObjectKeysMethod = getListObjectKeysMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.ListObjectKeysRequest, io.informerd.v1alpha1.ListObjectKeysResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListObjectKeys"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.ListObjectKeysRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.ListObjectKeysResponse.getDefaultInstance()))
              .setSchemaDescriptor(new CacheServiceMethodDescriptorSupplier("ListObjectKeys"))
              .build();
        }
      }
    }
    return getListObjectKeysMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.StreamObjectsRequest,
      io.informerd.v1alpha1.StreamObjectsResponse> getStreamObjectsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "StreamObjects",
      requestType = io.informerd.v1alpha1.StreamObjectsRequest.class,
      responseType = io.informerd.v1alpha1.StreamObjectsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.StreamObjectsRequest,
      io.informerd.v1alpha1.StreamObjectsResponse> getStreamObjectsMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.StreamObjectsRequest, io.informerd.v1alpha1.StreamObjectsResponse> getStreamObjectsMethod;
    if ((getStreamObjectsMethod = CacheServiceGrpc.getStreamObjectsMethod) == null) {
      synchronized (CacheServiceGrpc.class) {
        if ((getStreamObjectsMethod = CacheServiceGrpc.getStreamObjectsMethod) == null) {
          CacheServiceGrpc.getStreamObjectsMethod = getStreamObjectsMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.StreamObjectsRequest, io.informerd.v1alpha1.StreamObjectsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "StreamObjects"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.StreamObjectsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.StreamObjectsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new CacheServiceMethodDescriptorSupplier("StreamObjects"))
              .build();
        }
      }
    }
    return getStreamObjectsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.ListIndexValuesRequest,
      io.informerd.v1alpha1.ListIndexValuesResponse> getListIndexValuesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListIndexValues",
      requestType = io.informerd.v1alpha1.ListIndexValuesRequest.class,
      responseType = io.informerd.v1alpha1.ListIndexValuesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.ListIndexValuesRequest,
      io.informerd.v1alpha1.ListIndexValuesResponse> getListIndexValuesMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.ListIndexValuesRequest, io.informerd.v1alpha1.ListIndexValuesResponse> getListIndexValuesMethod;
    if ((getListIndexValuesMethod = CacheServiceGrpc.getListIndexValuesMethod) == null) {
      synchronized (CacheServiceGrpc.class) {
        if ((getListIndexValuesMethod = CacheServiceGrpc.getListIndexValuesMethod) == null) {
          CacheServiceGrpc.getListIndexValuesMethod = getListIndexValuesMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.ListIndexValuesRequest, io.informerd.v1alpha1.ListIndexValuesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListIndexValues"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.ListIndexValuesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.ListIndexValuesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new CacheServiceMethodDescriptorSupplier("ListIndexValues"))
              .build();
        }
      }
    }
    return getListIndexValuesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.CountObjectsRequest,
      io.informerd.v1alpha1.CountObjectsResponse> getCountObjectsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CountObjects",
      requestType = io.informerd.v1alpha1.CountObjectsRequest.class,
      responseType = io.informerd.v1alpha1.CountObjectsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.CountObjectsRequest,
      io.informerd.v1alpha1.CountObjectsResponse> getCountObjectsMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.CountObjectsRequest, io.informerd.v1alpha1.CountObjectsResponse> getCountObjectsMethod;
    if ((getCountObjectsMethod = CacheServiceGrpc.getCountObjectsMethod) == null) {
      synchronized (CacheServiceGrpc.class) {
        if ((getCountObjectsMethod = CacheServiceGrpc.getCountObjectsMethod) == null) {
          CacheServiceGrpc.getCountObjectsMethod = getCountObjectsMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.CountObjectsRequest, io.informerd.v1alpha1.CountObjectsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CountObjects"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.CountObjectsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.CountObjectsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new CacheServiceMethodDescriptorSupplier("CountObjects"))
              .build();
        }
      }
    }
    return getCountObjectsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.WaitForResourceVersionRequest,
      io.informerd.v1alpha1.WaitForResourceVersionResponse> getWaitForResourceVersionMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "WaitForResourceVersion",
      requestType = io.informerd.v1alpha1.WaitForResourceVersionRequest.class,
      responseType = io.informerd.v1alpha1.WaitForResourceVersionResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.WaitForResourceVersionRequest,
      io.informerd.v1alpha1.WaitForResourceVersionResponse> getWaitForResourceVersionMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.WaitForResourceVersionRequest, io.informerd.v1alpha1.WaitForResourceVersionResponse> getWaitForResourceVersionMethod;
    if ((getWaitForResourceVersionMethod = CacheServiceGrpc.getWaitForResourceVersionMethod) == null) {
      synchronized (CacheServiceGrpc.class) {
        if ((getWaitForResourceVersionMethod = CacheServiceGrpc.getWaitForResourceVersionMethod) == null) {
          CacheServiceGrpc.getWaitForResourceVersionMethod = getWaitForResourceVersionMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.WaitForResourceVersionRequest, io.informerd.v1alpha1.WaitForResourceVersionResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "WaitForResourceVersion"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.WaitForResourceVersionRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.WaitForResourceVersionResponse.getDefaultInstance()))
              .setSchemaDescriptor(new CacheServiceMethodDescriptorSupplier("WaitForResourceVersion"))
              .build();
        }
      }
    }
    return getWaitForResourceVersionMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static CacheServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<CacheServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<CacheServiceStub>() {
        @java.lang.Override
        public CacheServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new CacheServiceStub(channel, callOptions);
        }
      };
    return CacheServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static CacheServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<CacheServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<CacheServiceBlockingV2Stub>() {
        @java.lang.Override
        public CacheServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new CacheServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return CacheServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static CacheServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<CacheServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<CacheServiceBlockingStub>() {
        @java.lang.Override
        public CacheServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new CacheServiceBlockingStub(channel, callOptions);
        }
      };
    return CacheServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static CacheServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<CacheServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<CacheServiceFutureStub>() {
        @java.lang.Override
        public CacheServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new CacheServiceFutureStub(channel, callOptions);
        }
      };
    return CacheServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * CacheService answers lister and index queries. One request is served from one immutable snapshot
   * (row S2), and its reply says which.
   * Errors of all calls: NOT_FOUND (INFORMER_NOT_FOUND, RESOURCE_NOT_FOUND, INDEX_NOT_FOUND), INVALID_ARGUMENT
   * (INVALID_SELECTOR, INVALID_POINTER, INVALID_TOKEN, INVALID_FIELD), UNAVAILABLE (CACHE_NOT_SYNCED, CACHE_NOT_FRESH, with
   * RetryInfo), FAILED_PRECONDITION (RESOURCE_VERSION_INCOMPARABLE, UPSTREAM_FORBIDDEN), ABORTED (PAGE_SNAPSHOT_EXPIRED).
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * GetObject returns one object (Lister.Get, row S11). A miss is NOT_FOUND / OBJECT_NOT_FOUND.
     * </pre>
     */
    default void getObject(io.informerd.v1alpha1.GetObjectRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.GetObjectResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetObjectMethod(), responseObserver);
    }

    /**
     * <pre>
     * BatchGetObjects returns up to 1000 objects from one snapshot and names the missing ones.
     * </pre>
     */
    default void batchGetObjects(io.informerd.v1alpha1.BatchGetObjectsRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.BatchGetObjectsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getBatchGetObjectsMethod(), responseObserver);
    }

    /**
     * <pre>
     * ListObjects returns a page of objects (Lister.List; with an index filter: ByIndex).
     * </pre>
     */
    default void listObjects(io.informerd.v1alpha1.ListObjectsRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ListObjectsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListObjectsMethod(), responseObserver);
    }

    /**
     * <pre>
     * ListObjectKeys returns a page of keys (ListKeys; with an index filter: IndexKeys).
     * </pre>
     */
    default void listObjectKeys(io.informerd.v1alpha1.ListObjectKeysRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ListObjectKeysResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListObjectKeysMethod(), responseObserver);
    }

    /**
     * <pre>
     * StreamObjects returns one consistent snapshot of any size.
     * </pre>
     */
    default void streamObjects(io.informerd.v1alpha1.StreamObjectsRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.StreamObjectsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getStreamObjectsMethod(), responseObserver);
    }

    /**
     * <pre>
     * ListIndexValues returns a page of an index's values (ListIndexFuncValues).
     * </pre>
     */
    default void listIndexValues(io.informerd.v1alpha1.ListIndexValuesRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ListIndexValuesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListIndexValuesMethod(), responseObserver);
    }

    /**
     * <pre>
     * CountObjects counts what a filter matches, if wanted per value of an index.
     * </pre>
     */
    default void countObjects(io.informerd.v1alpha1.CountObjectsRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.CountObjectsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCountObjectsMethod(), responseObserver);
    }

    /**
     * <pre>
     * WaitForResourceVersion returns once the informer has seen a resourceVersion (read your writes).
     * </pre>
     */
    default void waitForResourceVersion(io.informerd.v1alpha1.WaitForResourceVersionRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.WaitForResourceVersionResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getWaitForResourceVersionMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service CacheService.
   * <pre>
   * CacheService answers lister and index queries. One request is served from one immutable snapshot
   * (row S2), and its reply says which.
   * Errors of all calls: NOT_FOUND (INFORMER_NOT_FOUND, RESOURCE_NOT_FOUND, INDEX_NOT_FOUND), INVALID_ARGUMENT
   * (INVALID_SELECTOR, INVALID_POINTER, INVALID_TOKEN, INVALID_FIELD), UNAVAILABLE (CACHE_NOT_SYNCED, CACHE_NOT_FRESH, with
   * RetryInfo), FAILED_PRECONDITION (RESOURCE_VERSION_INCOMPARABLE, UPSTREAM_FORBIDDEN), ABORTED (PAGE_SNAPSHOT_EXPIRED).
   * </pre>
   */
  public static abstract class CacheServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return CacheServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service CacheService.
   * <pre>
   * CacheService answers lister and index queries. One request is served from one immutable snapshot
   * (row S2), and its reply says which.
   * Errors of all calls: NOT_FOUND (INFORMER_NOT_FOUND, RESOURCE_NOT_FOUND, INDEX_NOT_FOUND), INVALID_ARGUMENT
   * (INVALID_SELECTOR, INVALID_POINTER, INVALID_TOKEN, INVALID_FIELD), UNAVAILABLE (CACHE_NOT_SYNCED, CACHE_NOT_FRESH, with
   * RetryInfo), FAILED_PRECONDITION (RESOURCE_VERSION_INCOMPARABLE, UPSTREAM_FORBIDDEN), ABORTED (PAGE_SNAPSHOT_EXPIRED).
   * </pre>
   */
  public static final class CacheServiceStub
      extends io.grpc.stub.AbstractAsyncStub<CacheServiceStub> {
    private CacheServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected CacheServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new CacheServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * GetObject returns one object (Lister.Get, row S11). A miss is NOT_FOUND / OBJECT_NOT_FOUND.
     * </pre>
     */
    public void getObject(io.informerd.v1alpha1.GetObjectRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.GetObjectResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetObjectMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * BatchGetObjects returns up to 1000 objects from one snapshot and names the missing ones.
     * </pre>
     */
    public void batchGetObjects(io.informerd.v1alpha1.BatchGetObjectsRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.BatchGetObjectsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getBatchGetObjectsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ListObjects returns a page of objects (Lister.List; with an index filter: ByIndex).
     * </pre>
     */
    public void listObjects(io.informerd.v1alpha1.ListObjectsRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ListObjectsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListObjectsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ListObjectKeys returns a page of keys (ListKeys; with an index filter: IndexKeys).
     * </pre>
     */
    public void listObjectKeys(io.informerd.v1alpha1.ListObjectKeysRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ListObjectKeysResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListObjectKeysMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * StreamObjects returns one consistent snapshot of any size.
     * </pre>
     */
    public void streamObjects(io.informerd.v1alpha1.StreamObjectsRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.StreamObjectsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getStreamObjectsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ListIndexValues returns a page of an index's values (ListIndexFuncValues).
     * </pre>
     */
    public void listIndexValues(io.informerd.v1alpha1.ListIndexValuesRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ListIndexValuesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListIndexValuesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * CountObjects counts what a filter matches, if wanted per value of an index.
     * </pre>
     */
    public void countObjects(io.informerd.v1alpha1.CountObjectsRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.CountObjectsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCountObjectsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * WaitForResourceVersion returns once the informer has seen a resourceVersion (read your writes).
     * </pre>
     */
    public void waitForResourceVersion(io.informerd.v1alpha1.WaitForResourceVersionRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.WaitForResourceVersionResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getWaitForResourceVersionMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service CacheService.
   * <pre>
   * CacheService answers lister and index queries. One request is served from one immutable snapshot
   * (row S2), and its reply says which.
   * Errors of all calls: NOT_FOUND (INFORMER_NOT_FOUND, RESOURCE_NOT_FOUND, INDEX_NOT_FOUND), INVALID_ARGUMENT
   * (INVALID_SELECTOR, INVALID_POINTER, INVALID_TOKEN, INVALID_FIELD), UNAVAILABLE (CACHE_NOT_SYNCED, CACHE_NOT_FRESH, with
   * RetryInfo), FAILED_PRECONDITION (RESOURCE_VERSION_INCOMPARABLE, UPSTREAM_FORBIDDEN), ABORTED (PAGE_SNAPSHOT_EXPIRED).
   * </pre>
   */
  public static final class CacheServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<CacheServiceBlockingV2Stub> {
    private CacheServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected CacheServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new CacheServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * GetObject returns one object (Lister.Get, row S11). A miss is NOT_FOUND / OBJECT_NOT_FOUND.
     * </pre>
     */
    public io.informerd.v1alpha1.GetObjectResponse getObject(io.informerd.v1alpha1.GetObjectRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetObjectMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * BatchGetObjects returns up to 1000 objects from one snapshot and names the missing ones.
     * </pre>
     */
    public io.informerd.v1alpha1.BatchGetObjectsResponse batchGetObjects(io.informerd.v1alpha1.BatchGetObjectsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getBatchGetObjectsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListObjects returns a page of objects (Lister.List; with an index filter: ByIndex).
     * </pre>
     */
    public io.informerd.v1alpha1.ListObjectsResponse listObjects(io.informerd.v1alpha1.ListObjectsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListObjectsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListObjectKeys returns a page of keys (ListKeys; with an index filter: IndexKeys).
     * </pre>
     */
    public io.informerd.v1alpha1.ListObjectKeysResponse listObjectKeys(io.informerd.v1alpha1.ListObjectKeysRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListObjectKeysMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * StreamObjects returns one consistent snapshot of any size.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, io.informerd.v1alpha1.StreamObjectsResponse>
        streamObjects(io.informerd.v1alpha1.StreamObjectsRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getStreamObjectsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListIndexValues returns a page of an index's values (ListIndexFuncValues).
     * </pre>
     */
    public io.informerd.v1alpha1.ListIndexValuesResponse listIndexValues(io.informerd.v1alpha1.ListIndexValuesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListIndexValuesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * CountObjects counts what a filter matches, if wanted per value of an index.
     * </pre>
     */
    public io.informerd.v1alpha1.CountObjectsResponse countObjects(io.informerd.v1alpha1.CountObjectsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCountObjectsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * WaitForResourceVersion returns once the informer has seen a resourceVersion (read your writes).
     * </pre>
     */
    public io.informerd.v1alpha1.WaitForResourceVersionResponse waitForResourceVersion(io.informerd.v1alpha1.WaitForResourceVersionRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getWaitForResourceVersionMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service CacheService.
   * <pre>
   * CacheService answers lister and index queries. One request is served from one immutable snapshot
   * (row S2), and its reply says which.
   * Errors of all calls: NOT_FOUND (INFORMER_NOT_FOUND, RESOURCE_NOT_FOUND, INDEX_NOT_FOUND), INVALID_ARGUMENT
   * (INVALID_SELECTOR, INVALID_POINTER, INVALID_TOKEN, INVALID_FIELD), UNAVAILABLE (CACHE_NOT_SYNCED, CACHE_NOT_FRESH, with
   * RetryInfo), FAILED_PRECONDITION (RESOURCE_VERSION_INCOMPARABLE, UPSTREAM_FORBIDDEN), ABORTED (PAGE_SNAPSHOT_EXPIRED).
   * </pre>
   */
  public static final class CacheServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<CacheServiceBlockingStub> {
    private CacheServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected CacheServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new CacheServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * GetObject returns one object (Lister.Get, row S11). A miss is NOT_FOUND / OBJECT_NOT_FOUND.
     * </pre>
     */
    public io.informerd.v1alpha1.GetObjectResponse getObject(io.informerd.v1alpha1.GetObjectRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetObjectMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * BatchGetObjects returns up to 1000 objects from one snapshot and names the missing ones.
     * </pre>
     */
    public io.informerd.v1alpha1.BatchGetObjectsResponse batchGetObjects(io.informerd.v1alpha1.BatchGetObjectsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getBatchGetObjectsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListObjects returns a page of objects (Lister.List; with an index filter: ByIndex).
     * </pre>
     */
    public io.informerd.v1alpha1.ListObjectsResponse listObjects(io.informerd.v1alpha1.ListObjectsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListObjectsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListObjectKeys returns a page of keys (ListKeys; with an index filter: IndexKeys).
     * </pre>
     */
    public io.informerd.v1alpha1.ListObjectKeysResponse listObjectKeys(io.informerd.v1alpha1.ListObjectKeysRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListObjectKeysMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * StreamObjects returns one consistent snapshot of any size.
     * </pre>
     */
    public java.util.Iterator<io.informerd.v1alpha1.StreamObjectsResponse> streamObjects(
        io.informerd.v1alpha1.StreamObjectsRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getStreamObjectsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListIndexValues returns a page of an index's values (ListIndexFuncValues).
     * </pre>
     */
    public io.informerd.v1alpha1.ListIndexValuesResponse listIndexValues(io.informerd.v1alpha1.ListIndexValuesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListIndexValuesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * CountObjects counts what a filter matches, if wanted per value of an index.
     * </pre>
     */
    public io.informerd.v1alpha1.CountObjectsResponse countObjects(io.informerd.v1alpha1.CountObjectsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCountObjectsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * WaitForResourceVersion returns once the informer has seen a resourceVersion (read your writes).
     * </pre>
     */
    public io.informerd.v1alpha1.WaitForResourceVersionResponse waitForResourceVersion(io.informerd.v1alpha1.WaitForResourceVersionRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getWaitForResourceVersionMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service CacheService.
   * <pre>
   * CacheService answers lister and index queries. One request is served from one immutable snapshot
   * (row S2), and its reply says which.
   * Errors of all calls: NOT_FOUND (INFORMER_NOT_FOUND, RESOURCE_NOT_FOUND, INDEX_NOT_FOUND), INVALID_ARGUMENT
   * (INVALID_SELECTOR, INVALID_POINTER, INVALID_TOKEN, INVALID_FIELD), UNAVAILABLE (CACHE_NOT_SYNCED, CACHE_NOT_FRESH, with
   * RetryInfo), FAILED_PRECONDITION (RESOURCE_VERSION_INCOMPARABLE, UPSTREAM_FORBIDDEN), ABORTED (PAGE_SNAPSHOT_EXPIRED).
   * </pre>
   */
  public static final class CacheServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<CacheServiceFutureStub> {
    private CacheServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected CacheServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new CacheServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * GetObject returns one object (Lister.Get, row S11). A miss is NOT_FOUND / OBJECT_NOT_FOUND.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.GetObjectResponse> getObject(
        io.informerd.v1alpha1.GetObjectRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetObjectMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * BatchGetObjects returns up to 1000 objects from one snapshot and names the missing ones.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.BatchGetObjectsResponse> batchGetObjects(
        io.informerd.v1alpha1.BatchGetObjectsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getBatchGetObjectsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ListObjects returns a page of objects (Lister.List; with an index filter: ByIndex).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.ListObjectsResponse> listObjects(
        io.informerd.v1alpha1.ListObjectsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListObjectsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ListObjectKeys returns a page of keys (ListKeys; with an index filter: IndexKeys).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.ListObjectKeysResponse> listObjectKeys(
        io.informerd.v1alpha1.ListObjectKeysRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListObjectKeysMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ListIndexValues returns a page of an index's values (ListIndexFuncValues).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.ListIndexValuesResponse> listIndexValues(
        io.informerd.v1alpha1.ListIndexValuesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListIndexValuesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * CountObjects counts what a filter matches, if wanted per value of an index.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.CountObjectsResponse> countObjects(
        io.informerd.v1alpha1.CountObjectsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCountObjectsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * WaitForResourceVersion returns once the informer has seen a resourceVersion (read your writes).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.WaitForResourceVersionResponse> waitForResourceVersion(
        io.informerd.v1alpha1.WaitForResourceVersionRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getWaitForResourceVersionMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_GET_OBJECT = 0;
  private static final int METHODID_BATCH_GET_OBJECTS = 1;
  private static final int METHODID_LIST_OBJECTS = 2;
  private static final int METHODID_LIST_OBJECT_KEYS = 3;
  private static final int METHODID_STREAM_OBJECTS = 4;
  private static final int METHODID_LIST_INDEX_VALUES = 5;
  private static final int METHODID_COUNT_OBJECTS = 6;
  private static final int METHODID_WAIT_FOR_RESOURCE_VERSION = 7;

  private static final class MethodHandlers<Req, Resp> implements
      io.grpc.stub.ServerCalls.UnaryMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ServerStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ClientStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.BidiStreamingMethod<Req, Resp> {
    private final AsyncService serviceImpl;
    private final int methodId;

    MethodHandlers(AsyncService serviceImpl, int methodId) {
      this.serviceImpl = serviceImpl;
      this.methodId = methodId;
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public void invoke(Req request, io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        case METHODID_GET_OBJECT:
          serviceImpl.getObject((io.informerd.v1alpha1.GetObjectRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.GetObjectResponse>) responseObserver);
          break;
        case METHODID_BATCH_GET_OBJECTS:
          serviceImpl.batchGetObjects((io.informerd.v1alpha1.BatchGetObjectsRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.BatchGetObjectsResponse>) responseObserver);
          break;
        case METHODID_LIST_OBJECTS:
          serviceImpl.listObjects((io.informerd.v1alpha1.ListObjectsRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ListObjectsResponse>) responseObserver);
          break;
        case METHODID_LIST_OBJECT_KEYS:
          serviceImpl.listObjectKeys((io.informerd.v1alpha1.ListObjectKeysRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ListObjectKeysResponse>) responseObserver);
          break;
        case METHODID_STREAM_OBJECTS:
          serviceImpl.streamObjects((io.informerd.v1alpha1.StreamObjectsRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.StreamObjectsResponse>) responseObserver);
          break;
        case METHODID_LIST_INDEX_VALUES:
          serviceImpl.listIndexValues((io.informerd.v1alpha1.ListIndexValuesRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ListIndexValuesResponse>) responseObserver);
          break;
        case METHODID_COUNT_OBJECTS:
          serviceImpl.countObjects((io.informerd.v1alpha1.CountObjectsRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.CountObjectsResponse>) responseObserver);
          break;
        case METHODID_WAIT_FOR_RESOURCE_VERSION:
          serviceImpl.waitForResourceVersion((io.informerd.v1alpha1.WaitForResourceVersionRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.WaitForResourceVersionResponse>) responseObserver);
          break;
        default:
          throw new AssertionError();
      }
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public io.grpc.stub.StreamObserver<Req> invoke(
        io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        default:
          throw new AssertionError();
      }
    }
  }

  public static final io.grpc.ServerServiceDefinition bindService(AsyncService service) {
    return io.grpc.ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(
          getGetObjectMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.GetObjectRequest,
              io.informerd.v1alpha1.GetObjectResponse>(
                service, METHODID_GET_OBJECT)))
        .addMethod(
          getBatchGetObjectsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.BatchGetObjectsRequest,
              io.informerd.v1alpha1.BatchGetObjectsResponse>(
                service, METHODID_BATCH_GET_OBJECTS)))
        .addMethod(
          getListObjectsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.ListObjectsRequest,
              io.informerd.v1alpha1.ListObjectsResponse>(
                service, METHODID_LIST_OBJECTS)))
        .addMethod(
          getListObjectKeysMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.ListObjectKeysRequest,
              io.informerd.v1alpha1.ListObjectKeysResponse>(
                service, METHODID_LIST_OBJECT_KEYS)))
        .addMethod(
          getStreamObjectsMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              io.informerd.v1alpha1.StreamObjectsRequest,
              io.informerd.v1alpha1.StreamObjectsResponse>(
                service, METHODID_STREAM_OBJECTS)))
        .addMethod(
          getListIndexValuesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.ListIndexValuesRequest,
              io.informerd.v1alpha1.ListIndexValuesResponse>(
                service, METHODID_LIST_INDEX_VALUES)))
        .addMethod(
          getCountObjectsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.CountObjectsRequest,
              io.informerd.v1alpha1.CountObjectsResponse>(
                service, METHODID_COUNT_OBJECTS)))
        .addMethod(
          getWaitForResourceVersionMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.WaitForResourceVersionRequest,
              io.informerd.v1alpha1.WaitForResourceVersionResponse>(
                service, METHODID_WAIT_FOR_RESOURCE_VERSION)))
        .build();
  }

  private static abstract class CacheServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    CacheServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return io.informerd.v1alpha1.CacheProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("CacheService");
    }
  }

  private static final class CacheServiceFileDescriptorSupplier
      extends CacheServiceBaseDescriptorSupplier {
    CacheServiceFileDescriptorSupplier() {}
  }

  private static final class CacheServiceMethodDescriptorSupplier
      extends CacheServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    CacheServiceMethodDescriptorSupplier(java.lang.String methodName) {
      this.methodName = methodName;
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.MethodDescriptor getMethodDescriptor() {
      return getServiceDescriptor().findMethodByName(methodName);
    }
  }

  private static volatile io.grpc.ServiceDescriptor serviceDescriptor;

  public static io.grpc.ServiceDescriptor getServiceDescriptor() {
    io.grpc.ServiceDescriptor result = serviceDescriptor;
    if (result == null) {
      synchronized (CacheServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new CacheServiceFileDescriptorSupplier())
              .addMethod(getGetObjectMethod())
              .addMethod(getBatchGetObjectsMethod())
              .addMethod(getListObjectsMethod())
              .addMethod(getListObjectKeysMethod())
              .addMethod(getStreamObjectsMethod())
              .addMethod(getListIndexValuesMethod())
              .addMethod(getCountObjectsMethod())
              .addMethod(getWaitForResourceVersionMethod())
              .build();
        }
      }
    }
    return result;
  }
}
