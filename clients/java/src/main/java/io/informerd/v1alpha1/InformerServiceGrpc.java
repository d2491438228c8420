package io.informerd.v1alpha1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * InformerService declares, lists and removes informers.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class InformerServiceGrpc {

  private InformerServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "informer.v1alpha1.InformerService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.GetServerInfoRequest,
      io.informerd.v1alpha1.GetServerInfoResponse> getGetServerInfoMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetServerInfo",
      requestType = io.informerd.v1alpha1.GetServerInfoRequest.class,
      responseType = io.informerd.v1alpha1.GetServerInfoResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.GetServerInfoRequest,
      io.informerd.v1alpha1.GetServerInfoResponse> getGetServerInfoMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.GetServerInfoRequest, io.informerd.v1alpha1.GetServerInfoResponse> getGetServerInfoMethod;
    if ((getGetServerInfoMethod = InformerServiceGrpc.getGetServerInfoMethod) == null) {
      synchronized (InformerServiceGrpc.class) {
        if ((getGetServerInfoMethod = InformerServiceGrpc.getGetServerInfoMethod) == null) {
          InformerServiceGrpc.getGetServerInfoMethod = getGetServerInfoMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.GetServerInfoRequest, io.informerd.v1alpha1.GetServerInfoResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetServerInfo"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.GetServerInfoRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.GetServerInfoResponse.getDefaultInstance()))
              .setSchemaDescriptor(new InformerServiceMethodDescriptorSupplier("GetServerInfo"))
              .build();
        }
      }
    }
    return getGetServerInfoMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.CreateInformerRequest,
      io.informerd.v1alpha1.CreateInformerResponse> getCreateInformerMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CreateInformer",
      requestType = io.informerd.v1alpha1.CreateInformerRequest.class,
      responseType = io.informerd.v1alpha1.CreateInformerResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.CreateInformerRequest,
      io.informerd.v1alpha1.CreateInformerResponse> getCreateInformerMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.CreateInformerRequest, io.informerd.v1alpha1.CreateInformerResponse> getCreateInformerMethod;
    if ((getCreateInformerMethod = InformerServiceGrpc.getCreateInformerMethod) == null) {
      synchronized (InformerServiceGrpc.class) {
        if ((getCreateInformerMethod = InformerServiceGrpc.getCreateInformerMethod) == null) {
          InformerServiceGrpc.getCreateInformerMethod = getCreateInformerMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.CreateInformerRequest, io.informerd.v1alpha1.CreateInformerResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CreateInformer"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.CreateInformerRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.CreateInformerResponse.getDefaultInstance()))
              .setSchemaDescriptor(new InformerServiceMethodDescriptorSupplier("CreateInformer"))
              .build();
        }
      }
    }
    return getCreateInformerMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.GetInformerRequest,
      io.informerd.v1alpha1.GetInformerResponse> getGetInformerMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetInformer",
      requestType = io.informerd.v1alpha1.GetInformerRequest.class,
      responseType = io.informerd.v1alpha1.GetInformerResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.GetInformerRequest,
      io.informerd.v1alpha1.GetInformerResponse> getGetInformerMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.GetInformerRequest, io.informerd.v1alpha1.GetInformerResponse> getGetInformerMethod;
    if ((getGetInformerMethod = InformerServiceGrpc.getGetInformerMethod) == null) {
      synchronized (InformerServiceGrpc.class) {
        if ((getGetInformerMethod = InformerServiceGrpc.getGetInformerMethod) == null) {
          InformerServiceGrpc.getGetInformerMethod = getGetInformerMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.GetInformerRequest, io.informerd.v1alpha1.GetInformerResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetInformer"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.GetInformerRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.GetInformerResponse.getDefaultInstance()))
              .setSchemaDescriptor(new InformerServiceMethodDescriptorSupplier("GetInformer"))
              .build();
        }
      }
    }
    return getGetInformerMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.ListInformersRequest,
      io.informerd.v1alpha1.ListInformersResponse> getListInformersMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListInformers",
      requestType = io.informerd.v1alpha1.ListInformersRequest.class,
      responseType = io.informerd.v1alpha1.ListInformersResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.ListInformersRequest,
      io.informerd.v1alpha1.ListInformersResponse> getListInformersMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.ListInformersRequest, io.informerd.v1alpha1.ListInformersResponse> getListInformersMethod;
    if ((getListInformersMethod = InformerServiceGrpc.getListInformersMethod) == null) {
      synchronized (InformerServiceGrpc.class) {
        if ((getListInformersMethod = InformerServiceGrpc.getListInformersMethod) == null) {
          InformerServiceGrpc.getListInformersMethod = getListInformersMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.ListInformersRequest, io.informerd.v1alpha1.ListInformersResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListInformers"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.ListInformersRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.ListInformersResponse.getDefaultInstance()))
              .setSchemaDescriptor(new InformerServiceMethodDescriptorSupplier("ListInformers"))
              .build();
        }
      }
    }
    return getListInformersMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.DeleteInformerRequest,
      io.informerd.v1alpha1.DeleteInformerResponse> getDeleteInformerMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DeleteInformer",
      requestType = io.informerd.v1alpha1.DeleteInformerRequest.class,
      responseType = io.informerd.v1alpha1.DeleteInformerResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.DeleteInformerRequest,
      io.informerd.v1alpha1.DeleteInformerResponse> getDeleteInformerMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.DeleteInformerRequest, io.informerd.v1alpha1.DeleteInformerResponse> getDeleteInformerMethod;
    if ((getDeleteInformerMethod = InformerServiceGrpc.getDeleteInformerMethod) == null) {
      synchronized (InformerServiceGrpc.class) {
        if ((getDeleteInformerMethod = InformerServiceGrpc.getDeleteInformerMethod) == null) {
          InformerServiceGrpc.getDeleteInformerMethod = getDeleteInformerMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.DeleteInformerRequest, io.informerd.v1alpha1.DeleteInformerResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DeleteInformer"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.DeleteInformerRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.DeleteInformerResponse.getDefaultInstance()))
              .setSchemaDescriptor(new InformerServiceMethodDescriptorSupplier("DeleteInformer"))
              .build();
        }
      }
    }
    return getDeleteInformerMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.AddIndexersRequest,
      io.informerd.v1alpha1.AddIndexersResponse> getAddIndexersMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "AddIndexers",
      requestType = io.informerd.v1alpha1.AddIndexersRequest.class,
      responseType = io.informerd.v1alpha1.AddIndexersResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.AddIndexersRequest,
      io.informerd.v1alpha1.AddIndexersResponse> getAddIndexersMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.AddIndexersRequest, io.informerd.v1alpha1.AddIndexersResponse> getAddIndexersMethod;
    if ((getAddIndexersMethod = InformerServiceGrpc.getAddIndexersMethod) == null) {
      synchronized (InformerServiceGrpc.class) {
        if ((getAddIndexersMethod = InformerServiceGrpc.getAddIndexersMethod) == null) {
          InformerServiceGrpc.getAddIndexersMethod = getAddIndexersMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.AddIndexersRequest, io.informerd.v1alpha1.AddIndexersResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "AddIndexers"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.AddIndexersRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.AddIndexersResponse.getDefaultInstance()))
              .setSchemaDescriptor(new InformerServiceMethodDescriptorSupplier("AddIndexers"))
              .build();
        }
      }
    }
    return getAddIndexersMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.RemoveIndexersRequest,
      io.informerd.v1alpha1.RemoveIndexersResponse> getRemoveIndexersMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RemoveIndexers",
      requestType = io.informerd.v1alpha1.RemoveIndexersRequest.class,
      responseType = io.informerd.v1alpha1.RemoveIndexersResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.RemoveIndexersRequest,
      io.informerd.v1alpha1.RemoveIndexersResponse> getRemoveIndexersMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.RemoveIndexersRequest, io.informerd.v1alpha1.RemoveIndexersResponse> getRemoveIndexersMethod;
    if ((getRemoveIndexersMethod = InformerServiceGrpc.getRemoveIndexersMethod) == null) {
      synchronized (InformerServiceGrpc.class) {
        if ((getRemoveIndexersMethod = InformerServiceGrpc.getRemoveIndexersMethod) == null) {
          InformerServiceGrpc.getRemoveIndexersMethod = getRemoveIndexersMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.RemoveIndexersRequest, io.informerd.v1alpha1.RemoveIndexersResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RemoveIndexers"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.RemoveIndexersRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.RemoveIndexersResponse.getDefaultInstance()))
              .setSchemaDescriptor(new InformerServiceMethodDescriptorSupplier("RemoveIndexers"))
              .build();
        }
      }
    }
    return getRemoveIndexersMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.UpdateInformerRequest,
      io.informerd.v1alpha1.UpdateInformerResponse> getUpdateInformerMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "UpdateInformer",
      requestType = io.informerd.v1alpha1.UpdateInformerRequest.class,
      responseType = io.informerd.v1alpha1.UpdateInformerResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.UpdateInformerRequest,
      io.informerd.v1alpha1.UpdateInformerResponse> getUpdateInformerMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.UpdateInformerRequest, io.informerd.v1alpha1.UpdateInformerResponse> getUpdateInformerMethod;
    if ((getUpdateInformerMethod = InformerServiceGrpc.getUpdateInformerMethod) == null) {
      synchronized (InformerServiceGrpc.class) {
        if ((getUpdateInformerMethod = InformerServiceGrpc.getUpdateInformerMethod) == null) {
          InformerServiceGrpc.getUpdateInformerMethod = getUpdateInformerMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.UpdateInformerRequest, io.informerd.v1alpha1.UpdateInformerResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "UpdateInformer"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.UpdateInformerRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.UpdateInformerResponse.getDefaultInstance()))
              .setSchemaDescriptor(new InformerServiceMethodDescriptorSupplier("UpdateInformer"))
              .build();
        }
      }
    }
    return getUpdateInformerMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.WaitForCacheSyncRequest,
      io.informerd.v1alpha1.WaitForCacheSyncResponse> getWaitForCacheSyncMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "WaitForCacheSync",
      requestType = io.informerd.v1alpha1.WaitForCacheSyncRequest.class,
      responseType = io.informerd.v1alpha1.WaitForCacheSyncResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.WaitForCacheSyncRequest,
      io.informerd.v1alpha1.WaitForCacheSyncResponse> getWaitForCacheSyncMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.WaitForCacheSyncRequest, io.informerd.v1alpha1.WaitForCacheSyncResponse> getWaitForCacheSyncMethod;
    if ((getWaitForCacheSyncMethod = InformerServiceGrpc.getWaitForCacheSyncMethod) == null) {
      synchronized (InformerServiceGrpc.class) {
        if ((getWaitForCacheSyncMethod = InformerServiceGrpc.getWaitForCacheSyncMethod) == null) {
          InformerServiceGrpc.getWaitForCacheSyncMethod = getWaitForCacheSyncMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.WaitForCacheSyncRequest, io.informerd.v1alpha1.WaitForCacheSyncResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "WaitForCacheSync"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.WaitForCacheSyncRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.WaitForCacheSyncResponse.getDefaultInstance()))
              .setSchemaDescriptor(new InformerServiceMethodDescriptorSupplier("WaitForCacheSync"))
              .build();
        }
      }
    }
    return getWaitForCacheSyncMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static InformerServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<InformerServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<InformerServiceStub>() {
        @java.lang.Override
        public InformerServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new InformerServiceStub(channel, callOptions);
        }
      };
    return InformerServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static InformerServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<InformerServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<InformerServiceBlockingV2Stub>() {
        @java.lang.Override
        public InformerServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new InformerServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return InformerServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static InformerServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<InformerServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<InformerServiceBlockingStub>() {
        @java.lang.Override
        public InformerServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new InformerServiceBlockingStub(channel, callOptions);
        }
      };
    return InformerServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static InformerServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<InformerServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<InformerServiceFutureStub>() {
        @java.lang.Override
        public InformerServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new InformerServiceFutureStub(channel, callOptions);
        }
      };
    return InformerServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * InformerService declares, lists and removes informers.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * GetServerInfo returns versions, limits and features, so that no client has to probe.
     * </pre>
     */
    default void getServerInfo(io.informerd.v1alpha1.GetServerInfoRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.GetServerInfoResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetServerInfoMethod(), responseObserver);
    }

    /**
     * <pre>
     * CreateInformer declares an informer. Idempotent: an equal normalised spec returns the existing
     * informer; another spec under a used id is ALREADY_EXISTS / INFORMER_SPEC_CONFLICT.
     * </pre>
     */
    default void createInformer(io.informerd.v1alpha1.CreateInformerRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.CreateInformerResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCreateInformerMethod(), responseObserver);
    }

    /**
     * <pre>
     * GetInformer returns one informer with its status.
     * </pre>
     */
    default void getInformer(io.informerd.v1alpha1.GetInformerRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.GetInformerResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetInformerMethod(), responseObserver);
    }

    /**
     * <pre>
     * ListInformers returns all informers with their status, ordered by name.
     * </pre>
     */
    default void listInformers(io.informerd.v1alpha1.ListInformersRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ListInformersResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListInformersMethod(), responseObserver);
    }

    /**
     * <pre>
     * DeleteInformer stops an informer and drops its cache. FAILED_PRECONDITION / INFORMER_IN_USE while
     * watches are open, unless `force`; their streams then end with `terminating`.
     * </pre>
     */
    default void deleteInformer(io.informerd.v1alpha1.DeleteInformerRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.DeleteInformerResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDeleteInformerMethod(), responseObserver);
    }

    /**
     * <pre>
     * AddIndexers adds indexes to a running informer; existing objects are indexed before it returns
     * (row S5). All are added or none.
     * </pre>
     */
    default void addIndexers(io.informerd.v1alpha1.AddIndexersRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.AddIndexersResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getAddIndexersMethod(), responseObserver);
    }

    /**
     * <pre>
     * RemoveIndexers removes declared indexes.
     * </pre>
     */
    default void removeIndexers(io.informerd.v1alpha1.RemoveIndexersRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.RemoveIndexersResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRemoveIndexersMethod(), responseObserver);
    }

    /**
     * <pre>
     * UpdateInformer changes what a declared informer covers while it runs: namespaces, namespace_selector and
     * max_staleness. What enters arrives as ADDED, what leaves as DELETED with cause SELECTOR; what stays is not touched.
     * </pre>
     */
    default void updateInformer(io.informerd.v1alpha1.UpdateInformerRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.UpdateInformerResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getUpdateInformerMethod(), responseObserver);
    }

    /**
     * <pre>
     * WaitForCacheSync returns when all named informers are synced (row H9), else DEADLINE_EXCEEDED with
     * the laggards named.
     * </pre>
     */
    default void waitForCacheSync(io.informerd.v1alpha1.WaitForCacheSyncRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.WaitForCacheSyncResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getWaitForCacheSyncMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service InformerService.
   * <pre>
   * InformerService declares, lists and removes informers.
   * </pre>
   */
  public static abstract class InformerServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return InformerServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service InformerService.
   * <pre>
   * InformerService declares, lists and removes informers.
   * </pre>
   */
  public static final class InformerServiceStub
      extends io.grpc.stub.AbstractAsyncStub<InformerServiceStub> {
    private InformerServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected InformerServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new InformerServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * GetServerInfo returns versions, limits and features, so that no client has to probe.
     * </pre>
     */
    public void getServerInfo(io.informerd.v1alpha1.GetServerInfoRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.GetServerInfoResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetServerInfoMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * CreateInformer declares an informer. Idempotent: an equal normalised spec returns the existing
     * informer; another spec under a used id is ALREADY_EXISTS / INFORMER_SPEC_CONFLICT.
     * </pre>
     */
    public void createInformer(io.informerd.v1alpha1.CreateInformerRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.CreateInformerResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCreateInformerMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * GetInformer returns one informer with its status.
     * </pre>
     */
    public void getInformer(io.informerd.v1alpha1.GetInformerRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.GetInformerResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetInformerMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ListInformers returns all informers with their status, ordered by name.
     * </pre>
     */
    public void listInformers(io.informerd.v1alpha1.ListInformersRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ListInformersResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListInformersMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * DeleteInformer stops an informer and drops its cache. FAILED_PRECONDITION / INFORMER_IN_USE while
     * watches are open, unless `force`; their streams then end with `terminating`.
     * </pre>
     */
    public void deleteInformer(io.informerd.v1alpha1.DeleteInformerRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.DeleteInformerResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDeleteInformerMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * AddIndexers adds indexes to a running informer; existing objects are indexed before it returns
     * (row S5). All are added or none.
     * </pre>
     */
    public void addIndexers(io.informerd.v1alpha1.AddIndexersRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.AddIndexersResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getAddIndexersMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * RemoveIndexers removes declared indexes.
     * </pre>
     */
    public void removeIndexers(io.informerd.v1alpha1.RemoveIndexersRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.RemoveIndexersResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRemoveIndexersMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * UpdateInformer changes what a declared informer covers while it runs: namespaces, namespace_selector and
     * max_staleness. What enters arrives as ADDED, what leaves as DELETED with cause SELECTOR; what stays is not touched.
     * </pre>
     */
    public void updateInformer(io.informerd.v1alpha1.UpdateInformerRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.UpdateInformerResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getUpdateInformerMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * WaitForCacheSync returns when all named informers are synced (row H9), else DEADLINE_EXCEEDED with
     * the laggards named.
     * </pre>
     */
    public void waitForCacheSync(io.informerd.v1alpha1.WaitForCacheSyncRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.WaitForCacheSyncResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getWaitForCacheSyncMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service InformerService.
   * <pre>
   * InformerService declares, lists and removes informers.
   * </pre>
   */
  public static final class InformerServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<InformerServiceBlockingV2Stub> {
    private InformerServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected InformerServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new InformerServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * GetServerInfo returns versions, limits and features, so that no client has to probe.
     * </pre>
     */
    public io.informerd.v1alpha1.GetServerInfoResponse getServerInfo(io.informerd.v1alpha1.GetServerInfoRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetServerInfoMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * CreateInformer declares an informer. Idempotent: an equal normalised spec returns the existing
     * informer; another spec under a used id is ALREADY_EXISTS / INFORMER_SPEC_CONFLICT.
     * </pre>
     */
    public io.informerd.v1alpha1.CreateInformerResponse createInformer(io.informerd.v1alpha1.CreateInformerRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCreateInformerMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetInformer returns one informer with its status.
     * </pre>
     */
    public io.informerd.v1alpha1.GetInformerResponse getInformer(io.informerd.v1alpha1.GetInformerRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetInformerMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListInformers returns all informers with their status, ordered by name.
     * </pre>
     */
    public io.informerd.v1alpha1.ListInformersResponse listInformers(io.informerd.v1alpha1.ListInformersRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListInformersMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * DeleteInformer stops an informer and drops its cache. FAILED_PRECONDITION / INFORMER_IN_USE while
     * watches are open, unless `force`; their streams then end with `terminating`.
     * </pre>
     */
    public io.informerd.v1alpha1.DeleteInformerResponse deleteInformer(io.informerd.v1alpha1.DeleteInformerRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getDeleteInformerMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * AddIndexers adds indexes to a running informer; existing objects are indexed before it returns
     * (row S5). All are added or none.
     * </pre>
     */
    public io.informerd.v1alpha1.AddIndexersResponse addIndexers(io.informerd.v1alpha1.AddIndexersRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getAddIndexersMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * RemoveIndexers removes declared indexes.
     * </pre>
     */
    public io.informerd.v1alpha1.RemoveIndexersResponse removeIndexers(io.informerd.v1alpha1.RemoveIndexersRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRemoveIndexersMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * UpdateInformer changes what a declared informer covers while it runs: namespaces, namespace_selector and
     * max_staleness. What enters arrives as ADDED, what leaves as DELETED with cause SELECTOR; what stays is not touched.
     * </pre>
     */
    public io.informerd.v1alpha1.UpdateInformerResponse updateInformer(io.informerd.v1alpha1.UpdateInformerRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getUpdateInformerMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * WaitForCacheSync returns when all named informers are synced (row H9), else DEADLINE_EXCEEDED with
     * the laggards named.
     * </pre>
     */
    public io.informerd.v1alpha1.WaitForCacheSyncResponse waitForCacheSync(io.informerd.v1alpha1.WaitForCacheSyncRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getWaitForCacheSyncMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service InformerService.
   * <pre>
   * InformerService declares, lists and removes informers.
   * </pre>
   */
  public static final class InformerServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<InformerServiceBlockingStub> {
    private InformerServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected InformerServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new InformerServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * GetServerInfo returns versions, limits and features, so that no client has to probe.
     * </pre>
     */
    public io.informerd.v1alpha1.GetServerInfoResponse getServerInfo(io.informerd.v1alpha1.GetServerInfoRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetServerInfoMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * CreateInformer declares an informer. Idempotent: an equal normalised spec returns the existing
     * informer; another spec under a used id is ALREADY_EXISTS / INFORMER_SPEC_CONFLICT.
     * </pre>
     */
    public io.informerd.v1alpha1.CreateInformerResponse createInformer(io.informerd.v1alpha1.CreateInformerRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCreateInformerMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetInformer returns one informer with its status.
     * </pre>
     */
    public io.informerd.v1alpha1.GetInformerResponse getInformer(io.informerd.v1alpha1.GetInformerRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetInformerMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListInformers returns all informers with their status, ordered by name.
     * </pre>
     */
    public io.informerd.v1alpha1.ListInformersResponse listInformers(io.informerd.v1alpha1.ListInformersRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListInformersMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * DeleteInformer stops an informer and drops its cache. FAILED_PRECONDITION / INFORMER_IN_USE while
     * watches are open, unless `force`; their streams then end with `terminating`.
     * </pre>
     */
    public io.informerd.v1alpha1.DeleteInformerResponse deleteInformer(io.informerd.v1alpha1.DeleteInformerRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDeleteInformerMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * AddIndexers adds indexes to a running informer; existing objects are indexed before it returns
     * (row S5). All are added or none.
     * </pre>
     */
    public io.informerd.v1alpha1.AddIndexersResponse addIndexers(io.informerd.v1alpha1.AddIndexersRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getAddIndexersMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * RemoveIndexers removes declared indexes.
     * </pre>
     */
    public io.informerd.v1alpha1.RemoveIndexersResponse removeIndexers(io.informerd.v1alpha1.RemoveIndexersRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRemoveIndexersMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * UpdateInformer changes what a declared informer covers while it runs: namespaces, namespace_selector and
     * max_staleness. What enters arrives as ADDED, what leaves as DELETED with cause SELECTOR; what stays is not touched.
     * </pre>
     */
    public io.informerd.v1alpha1.UpdateInformerResponse updateInformer(io.informerd.v1alpha1.UpdateInformerRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getUpdateInformerMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * WaitForCacheSync returns when all named informers are synced (row H9), else DEADLINE_EXCEEDED with
     * the laggards named.
     * </pre>
     */
    public io.informerd.v1alpha1.WaitForCacheSyncResponse waitForCacheSync(io.informerd.v1alpha1.WaitForCacheSyncRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getWaitForCacheSyncMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service InformerService.
   * <pre>
   * InformerService declares, lists and removes informers.
   * </pre>
   */
  public static final class InformerServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<InformerServiceFutureStub> {
    private InformerServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected InformerServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new InformerServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * GetServerInfo returns versions, limits and features, so that no client has to probe.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.GetServerInfoResponse> getServerInfo(
        io.informerd.v1alpha1.GetServerInfoRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetServerInfoMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * CreateInformer declares an informer. Idempotent: an equal normalised spec returns the existing
     * informer; another spec under a used id is ALREADY_EXISTS / INFORMER_SPEC_CONFLICT.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.CreateInformerResponse> createInformer(
        io.informerd.v1alpha1.CreateInformerRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCreateInformerMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * GetInformer returns one informer with its status.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.GetInformerResponse> getInformer(
        io.informerd.v1alpha1.GetInformerRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetInformerMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ListInformers returns all informers with their status, ordered by name.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.ListInformersResponse> listInformers(
        io.informerd.v1alpha1.ListInformersRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListInformersMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * DeleteInformer stops an informer and drops its cache. FAILED_PRECONDITION / INFORMER_IN_USE while
     * watches are open, unless `force`; their streams then end with `terminating`.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.DeleteInformerResponse> deleteInformer(
        io.informerd.v1alpha1.DeleteInformerRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDeleteInformerMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * AddIndexers adds indexes to a running informer; existing objects are indexed before it returns
     * (row S5). All are added or none.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.AddIndexersResponse> addIndexers(
        io.informerd.v1alpha1.AddIndexersRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getAddIndexersMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * RemoveIndexers removes declared indexes.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.RemoveIndexersResponse> removeIndexers(
        io.informerd.v1alpha1.RemoveIndexersRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRemoveIndexersMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * UpdateInformer changes what a declared informer covers while it runs: namespaces, namespace_selector and
     * max_staleness. What enters arrives as ADDED, what leaves as DELETED with cause SELECTOR; what stays is not touched.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.UpdateInformerResponse> updateInformer(
        io.informerd.v1alpha1.UpdateInformerRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getUpdateInformerMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * WaitForCacheSync returns when all named informers are synced (row H9), else DEADLINE_EXCEEDED with
     * the laggards named.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.WaitForCacheSyncResponse> waitForCacheSync(
        io.informerd.v1alpha1.WaitForCacheSyncRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getWaitForCacheSyncMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_GET_SERVER_INFO = 0;
  private static final int METHODID_CREATE_INFORMER = 1;
  private static final int METHODID_GET_INFORMER = 2;
  private static final int METHODID_LIST_INFORMERS = 3;
  private static final int METHODID_DELETE_INFORMER = 4;
  private static final int METHODID_ADD_INDEXERS = 5;
  private static final int METHODID_REMOVE_INDEXERS = 6;
  private static final int METHODID_UPDATE_INFORMER = 7;
  private static final int METHODID_WAIT_FOR_CACHE_SYNC = 8;

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
        case METHODID_GET_SERVER_INFO:
          serviceImpl.getServerInfo((io.informerd.v1alpha1.GetServerInfoRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.GetServerInfoResponse>) responseObserver);
          break;
        case METHODID_CREATE_INFORMER:
          serviceImpl.createInformer((io.informerd.v1alpha1.CreateInformerRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.CreateInformerResponse>) responseObserver);
          break;
        case METHODID_GET_INFORMER:
          serviceImpl.getInformer((io.informerd.v1alpha1.GetInformerRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.GetInformerResponse>) responseObserver);
          break;
        case METHODID_LIST_INFORMERS:
          serviceImpl.listInformers((io.informerd.v1alpha1.ListInformersRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ListInformersResponse>) responseObserver);
          break;
        case METHODID_DELETE_INFORMER:
          serviceImpl.deleteInformer((io.informerd.v1alpha1.DeleteInformerRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.DeleteInformerResponse>) responseObserver);
          break;
        case METHODID_ADD_INDEXERS:
          serviceImpl.addIndexers((io.informerd.v1alpha1.AddIndexersRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.AddIndexersResponse>) responseObserver);
          break;
        case METHODID_REMOVE_INDEXERS:
          serviceImpl.removeIndexers((io.informerd.v1alpha1.RemoveIndexersRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.RemoveIndexersResponse>) responseObserver);
          break;
        case METHODID_UPDATE_INFORMER:
          serviceImpl.updateInformer((io.informerd.v1alpha1.UpdateInformerRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.UpdateInformerResponse>) responseObserver);
          break;
        case METHODID_WAIT_FOR_CACHE_SYNC:
          serviceImpl.waitForCacheSync((io.informerd.v1alpha1.WaitForCacheSyncRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.WaitForCacheSyncResponse>) responseObserver);
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
          getGetServerInfoMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.GetServerInfoRequest,
              io.informerd.v1alpha1.GetServerInfoResponse>(
                service, METHODID_GET_SERVER_INFO)))
        .addMethod(
          getCreateInformerMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.CreateInformerRequest,
              io.informerd.v1alpha1.CreateInformerResponse>(
                service, METHODID_CREATE_INFORMER)))
        .addMethod(
          getGetInformerMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.GetInformerRequest,
              io.informerd.v1alpha1.GetInformerResponse>(
                service, METHODID_GET_INFORMER)))
        .addMethod(
          getListInformersMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.ListInformersRequest,
              io.informerd.v1alpha1.ListInformersResponse>(
                service, METHODID_LIST_INFORMERS)))
        .addMethod(
          getDeleteInformerMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.DeleteInformerRequest,
              io.informerd.v1alpha1.DeleteInformerResponse>(
                service, METHODID_DELETE_INFORMER)))
        .addMethod(
          getAddIndexersMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.AddIndexersRequest,
              io.informerd.v1alpha1.AddIndexersResponse>(
                service, METHODID_ADD_INDEXERS)))
        .addMethod(
          getRemoveIndexersMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.RemoveIndexersRequest,
              io.informerd.v1alpha1.RemoveIndexersResponse>(
                service, METHODID_REMOVE_INDEXERS)))
        .addMethod(
          getUpdateInformerMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.UpdateInformerRequest,
              io.informerd.v1alpha1.UpdateInformerResponse>(
                service, METHODID_UPDATE_INFORMER)))
        .addMethod(
          getWaitForCacheSyncMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.WaitForCacheSyncRequest,
              io.informerd.v1alpha1.WaitForCacheSyncResponse>(
                service, METHODID_WAIT_FOR_CACHE_SYNC)))
        .build();
  }

  private static abstract class InformerServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    InformerServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return io.informerd.v1alpha1.InformerProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("InformerService");
    }
  }

  private static final class InformerServiceFileDescriptorSupplier
      extends InformerServiceBaseDescriptorSupplier {
    InformerServiceFileDescriptorSupplier() {}
  }

  private static final class InformerServiceMethodDescriptorSupplier
      extends InformerServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    InformerServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (InformerServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new InformerServiceFileDescriptorSupplier())
              .addMethod(getGetServerInfoMethod())
              .addMethod(getCreateInformerMethod())
              .addMethod(getGetInformerMethod())
              .addMethod(getListInformersMethod())
              .addMethod(getDeleteInformerMethod())
              .addMethod(getAddIndexersMethod())
              .addMethod(getRemoveIndexersMethod())
              .addMethod(getUpdateInformerMethod())
              .addMethod(getWaitForCacheSyncMethod())
              .build();
        }
      }
    }
    return result;
  }
}
