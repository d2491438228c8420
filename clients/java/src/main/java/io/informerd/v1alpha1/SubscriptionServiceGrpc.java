package io.informerd.v1alpha1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * SubscriptionService streams deltas.
 * Contract: per key in order and never older than what was sent before; across keys in store order
 * (snapshots: by key). At least once across reconnects; a DELETED for an unknown key is legal. Lossless
 * inside the history window; outside of it the stream says `reset` and starts a new snapshot.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class SubscriptionServiceGrpc {

  private SubscriptionServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "informer.v1alpha1.SubscriptionService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.WatchRequest,
      io.informerd.v1alpha1.WatchResponse> getWatchMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Watch",
      requestType = io.informerd.v1alpha1.WatchRequest.class,
      responseType = io.informerd.v1alpha1.WatchResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.WatchRequest,
      io.informerd.v1alpha1.WatchResponse> getWatchMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.WatchRequest, io.informerd.v1alpha1.WatchResponse> getWatchMethod;
    if ((getWatchMethod = SubscriptionServiceGrpc.getWatchMethod) == null) {
      synchronized (SubscriptionServiceGrpc.class) {
        if ((getWatchMethod = SubscriptionServiceGrpc.getWatchMethod) == null) {
          SubscriptionServiceGrpc.getWatchMethod = getWatchMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.WatchRequest, io.informerd.v1alpha1.WatchResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Watch"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.WatchRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.WatchResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SubscriptionServiceMethodDescriptorSupplier("Watch"))
              .build();
        }
      }
    }
    return getWatchMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.AckWatchRequest,
      io.informerd.v1alpha1.AckWatchResponse> getAckWatchMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "AckWatch",
      requestType = io.informerd.v1alpha1.AckWatchRequest.class,
      responseType = io.informerd.v1alpha1.AckWatchResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.AckWatchRequest,
      io.informerd.v1alpha1.AckWatchResponse> getAckWatchMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.AckWatchRequest, io.informerd.v1alpha1.AckWatchResponse> getAckWatchMethod;
    if ((getAckWatchMethod = SubscriptionServiceGrpc.getAckWatchMethod) == null) {
      synchronized (SubscriptionServiceGrpc.class) {
        if ((getAckWatchMethod = SubscriptionServiceGrpc.getAckWatchMethod) == null) {
          SubscriptionServiceGrpc.getAckWatchMethod = getAckWatchMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.AckWatchRequest, io.informerd.v1alpha1.AckWatchResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "AckWatch"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.AckWatchRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.AckWatchResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SubscriptionServiceMethodDescriptorSupplier("AckWatch"))
              .build();
        }
      }
    }
    return getAckWatchMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.ListWatchesRequest,
      io.informerd.v1alpha1.ListWatchesResponse> getListWatchesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListWatches",
      requestType = io.informerd.v1alpha1.ListWatchesRequest.class,
      responseType = io.informerd.v1alpha1.ListWatchesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.ListWatchesRequest,
      io.informerd.v1alpha1.ListWatchesResponse> getListWatchesMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.ListWatchesRequest, io.informerd.v1alpha1.ListWatchesResponse> getListWatchesMethod;
    if ((getListWatchesMethod = SubscriptionServiceGrpc.getListWatchesMethod) == null) {
      synchronized (SubscriptionServiceGrpc.class) {
        if ((getListWatchesMethod = SubscriptionServiceGrpc.getListWatchesMethod) == null) {
          SubscriptionServiceGrpc.getListWatchesMethod = getListWatchesMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.ListWatchesRequest, io.informerd.v1alpha1.ListWatchesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListWatches"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.ListWatchesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.ListWatchesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SubscriptionServiceMethodDescriptorSupplier("ListWatches"))
              .build();
        }
      }
    }
    return getListWatchesMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static SubscriptionServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SubscriptionServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SubscriptionServiceStub>() {
        @java.lang.Override
        public SubscriptionServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SubscriptionServiceStub(channel, callOptions);
        }
      };
    return SubscriptionServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static SubscriptionServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SubscriptionServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SubscriptionServiceBlockingV2Stub>() {
        @java.lang.Override
        public SubscriptionServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SubscriptionServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return SubscriptionServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static SubscriptionServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SubscriptionServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SubscriptionServiceBlockingStub>() {
        @java.lang.Override
        public SubscriptionServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SubscriptionServiceBlockingStub(channel, callOptions);
        }
      };
    return SubscriptionServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static SubscriptionServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SubscriptionServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SubscriptionServiceFutureStub>() {
        @java.lang.Override
        public SubscriptionServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SubscriptionServiceFutureStub(channel, callOptions);
        }
      };
    return SubscriptionServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * SubscriptionService streams deltas.
   * Contract: per key in order and never older than what was sent before; across keys in store order
   * (snapshots: by key). At least once across reconnects; a DELETED for an unknown key is legal. Lossless
   * inside the history window; outside of it the stream says `reset` and starts a new snapshot.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Watch streams a snapshot and then deltas, or only deltas, or what was missed since a token.
     * </pre>
     */
    default void watch(io.informerd.v1alpha1.WatchRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.WatchResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getWatchMethod(), responseObserver);
    }

    /**
     * <pre>
     * AckWatch tells how far a client has processed a watch. Cumulative and idempotent.
     * </pre>
     */
    default void ackWatch(io.informerd.v1alpha1.AckWatchRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.AckWatchResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getAckWatchMethod(), responseObserver);
    }

    /**
     * <pre>
     * ListWatches shows the open watches with their position and lag.
     * </pre>
     */
    default void listWatches(io.informerd.v1alpha1.ListWatchesRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ListWatchesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListWatchesMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service SubscriptionService.
   * <pre>
   * SubscriptionService streams deltas.
   * Contract: per key in order and never older than what was sent before; across keys in store order
   * (snapshots: by key). At least once across reconnects; a DELETED for an unknown key is legal. Lossless
   * inside the history window; outside of it the stream says `reset` and starts a new snapshot.
   * </pre>
   */
  public static abstract class SubscriptionServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return SubscriptionServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service SubscriptionService.
   * <pre>
   * SubscriptionService streams deltas.
   * Contract: per key in order and never older than what was sent before; across keys in store order
   * (snapshots: by key). At least once across reconnects; a DELETED for an unknown key is legal. Lossless
   * inside the history window; outside of it the stream says `reset` and starts a new snapshot.
   * </pre>
   */
  public static final class SubscriptionServiceStub
      extends io.grpc.stub.AbstractAsyncStub<SubscriptionServiceStub> {
    private SubscriptionServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SubscriptionServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SubscriptionServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Watch streams a snapshot and then deltas, or only deltas, or what was missed since a token.
     * </pre>
     */
    public void watch(io.informerd.v1alpha1.WatchRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.WatchResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getWatchMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * AckWatch tells how far a client has processed a watch. Cumulative and idempotent.
     * </pre>
     */
    public void ackWatch(io.informerd.v1alpha1.AckWatchRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.AckWatchResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getAckWatchMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ListWatches shows the open watches with their position and lag.
     * </pre>
     */
    public void listWatches(io.informerd.v1alpha1.ListWatchesRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ListWatchesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListWatchesMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service SubscriptionService.
   * <pre>
   * SubscriptionService streams deltas.
   * Contract: per key in order and never older than what was sent before; across keys in store order
   * (snapshots: by key). At least once across reconnects; a DELETED for an unknown key is legal. Lossless
   * inside the history window; outside of it the stream says `reset` and starts a new snapshot.
   * </pre>
   */
  public static final class SubscriptionServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<SubscriptionServiceBlockingV2Stub> {
    private SubscriptionServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SubscriptionServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SubscriptionServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Watch streams a snapshot and then deltas, or only deltas, or what was missed since a token.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, io.informerd.v1alpha1.WatchResponse>
        watch(io.informerd.v1alpha1.WatchRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getWatchMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * AckWatch tells how far a client has processed a watch. Cumulative and idempotent.
     * </pre>
     */
    public io.informerd.v1alpha1.AckWatchResponse ackWatch(io.informerd.v1alpha1.AckWatchRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getAckWatchMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListWatches shows the open watches with their position and lag.
     * </pre>
     */
    public io.informerd.v1alpha1.ListWatchesResponse listWatches(io.informerd.v1alpha1.ListWatchesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListWatchesMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service SubscriptionService.
   * <pre>
   * SubscriptionService streams deltas.
   * Contract: per key in order and never older than what was sent before; across keys in store order
   * (snapshots: by key). At least once across reconnects; a DELETED for an unknown key is legal. Lossless
   * inside the history window; outside of it the stream says `reset` and starts a new snapshot.
   * </pre>
   */
  public static final class SubscriptionServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<SubscriptionServiceBlockingStub> {
    private SubscriptionServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SubscriptionServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SubscriptionServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Watch streams a snapshot and then deltas, or only deltas, or what was missed since a token.
     * </pre>
     */
    public java.util.Iterator<io.informerd.v1alpha1.WatchResponse> watch(
        io.informerd.v1alpha1.WatchRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getWatchMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * AckWatch tells how far a client has processed a watch. Cumulative and idempotent.
     * </pre>
     */
    public io.informerd.v1alpha1.AckWatchResponse ackWatch(io.informerd.v1alpha1.AckWatchRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getAckWatchMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListWatches shows the open watches with their position and lag.
     * </pre>
     */
    public io.informerd.v1alpha1.ListWatchesResponse listWatches(io.informerd.v1alpha1.ListWatchesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListWatchesMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service SubscriptionService.
   * <pre>
   * SubscriptionService streams deltas.
   * Contract: per key in order and never older than what was sent before; across keys in store order
   * (snapshots: by key). At least once across reconnects; a DELETED for an unknown key is legal. Lossless
   * inside the history window; outside of it the stream says `reset` and starts a new snapshot.
   * </pre>
   */
  public static final class SubscriptionServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<SubscriptionServiceFutureStub> {
    private SubscriptionServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SubscriptionServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SubscriptionServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * AckWatch tells how far a client has processed a watch. Cumulative and idempotent.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.AckWatchResponse> ackWatch(
        io.informerd.v1alpha1.AckWatchRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getAckWatchMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ListWatches shows the open watches with their position and lag.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.ListWatchesResponse> listWatches(
        io.informerd.v1alpha1.ListWatchesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListWatchesMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_WATCH = 0;
  private static final int METHODID_ACK_WATCH = 1;
  private static final int METHODID_LIST_WATCHES = 2;

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
        case METHODID_WATCH:
          serviceImpl.watch((io.informerd.v1alpha1.WatchRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.WatchResponse>) responseObserver);
          break;
        case METHODID_ACK_WATCH:
          serviceImpl.ackWatch((io.informerd.v1alpha1.AckWatchRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.AckWatchResponse>) responseObserver);
          break;
        case METHODID_LIST_WATCHES:
          serviceImpl.listWatches((io.informerd.v1alpha1.ListWatchesRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ListWatchesResponse>) responseObserver);
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
          getWatchMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              io.informerd.v1alpha1.WatchRequest,
              io.informerd.v1alpha1.WatchResponse>(
                service, METHODID_WATCH)))
        .addMethod(
          getAckWatchMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.AckWatchRequest,
              io.informerd.v1alpha1.AckWatchResponse>(
                service, METHODID_ACK_WATCH)))
        .addMethod(
          getListWatchesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.ListWatchesRequest,
              io.informerd.v1alpha1.ListWatchesResponse>(
                service, METHODID_LIST_WATCHES)))
        .build();
  }

  private static abstract class SubscriptionServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    SubscriptionServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return io.informerd.v1alpha1.SubscriptionProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("SubscriptionService");
    }
  }

  private static final class SubscriptionServiceFileDescriptorSupplier
      extends SubscriptionServiceBaseDescriptorSupplier {
    SubscriptionServiceFileDescriptorSupplier() {}
  }

  private static final class SubscriptionServiceMethodDescriptorSupplier
      extends SubscriptionServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    SubscriptionServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (SubscriptionServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new SubscriptionServiceFileDescriptorSupplier())
              .addMethod(getWatchMethod())
              .addMethod(getAckWatchMethod())
              .addMethod(getListWatchesMethod())
              .build();
        }
      }
    }
    return result;
  }
}
