package io.informerd.v1alpha1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * WorkQueueService is client-go's rate limiting work queue for worker processes in any language: deduplicated keys, handed
 * out under leases, and withheld until the cache has seen the worker's own writes.
 * Contract: at most one valid lease per key; a key that is added while it is leased is handed out again after the
 * completion. A lease is no lock on the world: a worker that stalls may go on after its lease has expired, so writes
 * should carry a resourceVersion or the fencing token. One queue lives in one server process; its state is memory,
 * rebuilt from the sources' initial events (see QueueSpec.restart_hold).
 * Errors of all calls: NOT_FOUND (QUEUE_NOT_FOUND, INFORMER_NOT_FOUND, INDEX_NOT_FOUND), INVALID_ARGUMENT (INVALID_FIELD,
 * INVALID_SELECTOR, INVALID_POINTER, INVALID_TOKEN), FAILED_PRECONDITION (QUEUE_DRAINING), ABORTED (EPOCH_CHANGED),
 * RESOURCE_EXHAUSTED (TOO_MANY_QUEUES). Errors of single items stand in their ItemResult.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class WorkQueueServiceGrpc {

  private WorkQueueServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "informer.v1alpha1.WorkQueueService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.CreateQueueRequest,
      io.informerd.v1alpha1.CreateQueueResponse> getCreateQueueMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CreateQueue",
      requestType = io.informerd.v1alpha1.CreateQueueRequest.class,
      responseType = io.informerd.v1alpha1.CreateQueueResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.CreateQueueRequest,
      io.informerd.v1alpha1.CreateQueueResponse> getCreateQueueMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.CreateQueueRequest, io.informerd.v1alpha1.CreateQueueResponse> getCreateQueueMethod;
    if ((getCreateQueueMethod = WorkQueueServiceGrpc.getCreateQueueMethod) == null) {
      synchronized (WorkQueueServiceGrpc.class) {
        if ((getCreateQueueMethod = WorkQueueServiceGrpc.getCreateQueueMethod) == null) {
          WorkQueueServiceGrpc.getCreateQueueMethod = getCreateQueueMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.CreateQueueRequest, io.informerd.v1alpha1.CreateQueueResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CreateQueue"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.CreateQueueRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.CreateQueueResponse.getDefaultInstance()))
              .setSchemaDescriptor(new WorkQueueServiceMethodDescriptorSupplier("CreateQueue"))
              .build();
        }
      }
    }
    return getCreateQueueMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.GetQueueRequest,
      io.informerd.v1alpha1.GetQueueResponse> getGetQueueMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetQueue",
      requestType = io.informerd.v1alpha1.GetQueueRequest.class,
      responseType = io.informerd.v1alpha1.GetQueueResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.GetQueueRequest,
      io.informerd.v1alpha1.GetQueueResponse> getGetQueueMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.GetQueueRequest, io.informerd.v1alpha1.GetQueueResponse> getGetQueueMethod;
    if ((getGetQueueMethod = WorkQueueServiceGrpc.getGetQueueMethod) == null) {
      synchronized (WorkQueueServiceGrpc.class) {
        if ((getGetQueueMethod = WorkQueueServiceGrpc.getGetQueueMethod) == null) {
          WorkQueueServiceGrpc.getGetQueueMethod = getGetQueueMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.GetQueueRequest, io.informerd.v1alpha1.GetQueueResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetQueue"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.GetQueueRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.GetQueueResponse.getDefaultInstance()))
              .setSchemaDescriptor(new WorkQueueServiceMethodDescriptorSupplier("GetQueue"))
              .build();
        }
      }
    }
    return getGetQueueMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.ListQueuesRequest,
      io.informerd.v1alpha1.ListQueuesResponse> getListQueuesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListQueues",
      requestType = io.informerd.v1alpha1.ListQueuesRequest.class,
      responseType = io.informerd.v1alpha1.ListQueuesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.ListQueuesRequest,
      io.informerd.v1alpha1.ListQueuesResponse> getListQueuesMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.ListQueuesRequest, io.informerd.v1alpha1.ListQueuesResponse> getListQueuesMethod;
    if ((getListQueuesMethod = WorkQueueServiceGrpc.getListQueuesMethod) == null) {
      synchronized (WorkQueueServiceGrpc.class) {
        if ((getListQueuesMethod = WorkQueueServiceGrpc.getListQueuesMethod) == null) {
          WorkQueueServiceGrpc.getListQueuesMethod = getListQueuesMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.ListQueuesRequest, io.informerd.v1alpha1.ListQueuesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListQueues"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.ListQueuesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.ListQueuesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new WorkQueueServiceMethodDescriptorSupplier("ListQueues"))
              .build();
        }
      }
    }
    return getListQueuesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.DeleteQueueRequest,
      io.informerd.v1alpha1.DeleteQueueResponse> getDeleteQueueMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DeleteQueue",
      requestType = io.informerd.v1alpha1.DeleteQueueRequest.class,
      responseType = io.informerd.v1alpha1.DeleteQueueResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.DeleteQueueRequest,
      io.informerd.v1alpha1.DeleteQueueResponse> getDeleteQueueMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.DeleteQueueRequest, io.informerd.v1alpha1.DeleteQueueResponse> getDeleteQueueMethod;
    if ((getDeleteQueueMethod = WorkQueueServiceGrpc.getDeleteQueueMethod) == null) {
      synchronized (WorkQueueServiceGrpc.class) {
        if ((getDeleteQueueMethod = WorkQueueServiceGrpc.getDeleteQueueMethod) == null) {
          WorkQueueServiceGrpc.getDeleteQueueMethod = getDeleteQueueMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.DeleteQueueRequest, io.informerd.v1alpha1.DeleteQueueResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DeleteQueue"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.DeleteQueueRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.DeleteQueueResponse.getDefaultInstance()))
              .setSchemaDescriptor(new WorkQueueServiceMethodDescriptorSupplier("DeleteQueue"))
              .build();
        }
      }
    }
    return getDeleteQueueMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.DrainQueueRequest,
      io.informerd.v1alpha1.DrainQueueResponse> getDrainQueueMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DrainQueue",
      requestType = io.informerd.v1alpha1.DrainQueueRequest.class,
      responseType = io.informerd.v1alpha1.DrainQueueResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.DrainQueueRequest,
      io.informerd.v1alpha1.DrainQueueResponse> getDrainQueueMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.DrainQueueRequest, io.informerd.v1alpha1.DrainQueueResponse> getDrainQueueMethod;
    if ((getDrainQueueMethod = WorkQueueServiceGrpc.getDrainQueueMethod) == null) {
      synchronized (WorkQueueServiceGrpc.class) {
        if ((getDrainQueueMethod = WorkQueueServiceGrpc.getDrainQueueMethod) == null) {
          WorkQueueServiceGrpc.getDrainQueueMethod = getDrainQueueMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.DrainQueueRequest, io.informerd.v1alpha1.DrainQueueResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DrainQueue"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.DrainQueueRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.DrainQueueResponse.getDefaultInstance()))
              .setSchemaDescriptor(new WorkQueueServiceMethodDescriptorSupplier("DrainQueue"))
              .build();
        }
      }
    }
    return getDrainQueueMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.AddItemsRequest,
      io.informerd.v1alpha1.AddItemsResponse> getAddItemsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "AddItems",
      requestType = io.informerd.v1alpha1.AddItemsRequest.class,
      responseType = io.informerd.v1alpha1.AddItemsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.AddItemsRequest,
      io.informerd.v1alpha1.AddItemsResponse> getAddItemsMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.AddItemsRequest, io.informerd.v1alpha1.AddItemsResponse> getAddItemsMethod;
    if ((getAddItemsMethod = WorkQueueServiceGrpc.getAddItemsMethod) == null) {
      synchronized (WorkQueueServiceGrpc.class) {
        if ((getAddItemsMethod = WorkQueueServiceGrpc.getAddItemsMethod) == null) {
          WorkQueueServiceGrpc.getAddItemsMethod = getAddItemsMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.AddItemsRequest, io.informerd.v1alpha1.AddItemsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "AddItems"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.AddItemsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.AddItemsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new WorkQueueServiceMethodDescriptorSupplier("AddItems"))
              .build();
        }
      }
    }
    return getAddItemsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.ForgetItemsRequest,
      io.informerd.v1alpha1.ForgetItemsResponse> getForgetItemsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ForgetItems",
      requestType = io.informerd.v1alpha1.ForgetItemsRequest.class,
      responseType = io.informerd.v1alpha1.ForgetItemsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.ForgetItemsRequest,
      io.informerd.v1alpha1.ForgetItemsResponse> getForgetItemsMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.ForgetItemsRequest, io.informerd.v1alpha1.ForgetItemsResponse> getForgetItemsMethod;
    if ((getForgetItemsMethod = WorkQueueServiceGrpc.getForgetItemsMethod) == null) {
      synchronized (WorkQueueServiceGrpc.class) {
        if ((getForgetItemsMethod = WorkQueueServiceGrpc.getForgetItemsMethod) == null) {
          WorkQueueServiceGrpc.getForgetItemsMethod = getForgetItemsMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.ForgetItemsRequest, io.informerd.v1alpha1.ForgetItemsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ForgetItems"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.ForgetItemsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.ForgetItemsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new WorkQueueServiceMethodDescriptorSupplier("ForgetItems"))
              .build();
        }
      }
    }
    return getForgetItemsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.AcquireItemsRequest,
      io.informerd.v1alpha1.AcquireItemsResponse> getAcquireItemsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "AcquireItems",
      requestType = io.informerd.v1alpha1.AcquireItemsRequest.class,
      responseType = io.informerd.v1alpha1.AcquireItemsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.AcquireItemsRequest,
      io.informerd.v1alpha1.AcquireItemsResponse> getAcquireItemsMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.AcquireItemsRequest, io.informerd.v1alpha1.AcquireItemsResponse> getAcquireItemsMethod;
    if ((getAcquireItemsMethod = WorkQueueServiceGrpc.getAcquireItemsMethod) == null) {
      synchronized (WorkQueueServiceGrpc.class) {
        if ((getAcquireItemsMethod = WorkQueueServiceGrpc.getAcquireItemsMethod) == null) {
          WorkQueueServiceGrpc.getAcquireItemsMethod = getAcquireItemsMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.AcquireItemsRequest, io.informerd.v1alpha1.AcquireItemsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "AcquireItems"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.AcquireItemsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.AcquireItemsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new WorkQueueServiceMethodDescriptorSupplier("AcquireItems"))
              .build();
        }
      }
    }
    return getAcquireItemsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.CompleteItemsRequest,
      io.informerd.v1alpha1.CompleteItemsResponse> getCompleteItemsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CompleteItems",
      requestType = io.informerd.v1alpha1.CompleteItemsRequest.class,
      responseType = io.informerd.v1alpha1.CompleteItemsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.CompleteItemsRequest,
      io.informerd.v1alpha1.CompleteItemsResponse> getCompleteItemsMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.CompleteItemsRequest, io.informerd.v1alpha1.CompleteItemsResponse> getCompleteItemsMethod;
    if ((getCompleteItemsMethod = WorkQueueServiceGrpc.getCompleteItemsMethod) == null) {
      synchronized (WorkQueueServiceGrpc.class) {
        if ((getCompleteItemsMethod = WorkQueueServiceGrpc.getCompleteItemsMethod) == null) {
          WorkQueueServiceGrpc.getCompleteItemsMethod = getCompleteItemsMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.CompleteItemsRequest, io.informerd.v1alpha1.CompleteItemsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CompleteItems"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.CompleteItemsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.CompleteItemsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new WorkQueueServiceMethodDescriptorSupplier("CompleteItems"))
              .build();
        }
      }
    }
    return getCompleteItemsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.ExtendLeasesRequest,
      io.informerd.v1alpha1.ExtendLeasesResponse> getExtendLeasesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ExtendLeases",
      requestType = io.informerd.v1alpha1.ExtendLeasesRequest.class,
      responseType = io.informerd.v1alpha1.ExtendLeasesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.ExtendLeasesRequest,
      io.informerd.v1alpha1.ExtendLeasesResponse> getExtendLeasesMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.ExtendLeasesRequest, io.informerd.v1alpha1.ExtendLeasesResponse> getExtendLeasesMethod;
    if ((getExtendLeasesMethod = WorkQueueServiceGrpc.getExtendLeasesMethod) == null) {
      synchronized (WorkQueueServiceGrpc.class) {
        if ((getExtendLeasesMethod = WorkQueueServiceGrpc.getExtendLeasesMethod) == null) {
          WorkQueueServiceGrpc.getExtendLeasesMethod = getExtendLeasesMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.ExtendLeasesRequest, io.informerd.v1alpha1.ExtendLeasesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ExtendLeases"))
              .setIdempotent(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.ExtendLeasesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.ExtendLeasesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new WorkQueueServiceMethodDescriptorSupplier("ExtendLeases"))
              .build();
        }
      }
    }
    return getExtendLeasesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.RunWorkerSessionRequest,
      io.informerd.v1alpha1.RunWorkerSessionResponse> getRunWorkerSessionMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RunWorkerSession",
      requestType = io.informerd.v1alpha1.RunWorkerSessionRequest.class,
      responseType = io.informerd.v1alpha1.RunWorkerSessionResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.RunWorkerSessionRequest,
      io.informerd.v1alpha1.RunWorkerSessionResponse> getRunWorkerSessionMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.RunWorkerSessionRequest, io.informerd.v1alpha1.RunWorkerSessionResponse> getRunWorkerSessionMethod;
    if ((getRunWorkerSessionMethod = WorkQueueServiceGrpc.getRunWorkerSessionMethod) == null) {
      synchronized (WorkQueueServiceGrpc.class) {
        if ((getRunWorkerSessionMethod = WorkQueueServiceGrpc.getRunWorkerSessionMethod) == null) {
          WorkQueueServiceGrpc.getRunWorkerSessionMethod = getRunWorkerSessionMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.RunWorkerSessionRequest, io.informerd.v1alpha1.RunWorkerSessionResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RunWorkerSession"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.RunWorkerSessionRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.RunWorkerSessionResponse.getDefaultInstance()))
              .setSchemaDescriptor(new WorkQueueServiceMethodDescriptorSupplier("RunWorkerSession"))
              .build();
        }
      }
    }
    return getRunWorkerSessionMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.GetQueueStatsRequest,
      io.informerd.v1alpha1.GetQueueStatsResponse> getGetQueueStatsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetQueueStats",
      requestType = io.informerd.v1alpha1.GetQueueStatsRequest.class,
      responseType = io.informerd.v1alpha1.GetQueueStatsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.GetQueueStatsRequest,
      io.informerd.v1alpha1.GetQueueStatsResponse> getGetQueueStatsMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.GetQueueStatsRequest, io.informerd.v1alpha1.GetQueueStatsResponse> getGetQueueStatsMethod;
    if ((getGetQueueStatsMethod = WorkQueueServiceGrpc.getGetQueueStatsMethod) == null) {
      synchronized (WorkQueueServiceGrpc.class) {
        if ((getGetQueueStatsMethod = WorkQueueServiceGrpc.getGetQueueStatsMethod) == null) {
          WorkQueueServiceGrpc.getGetQueueStatsMethod = getGetQueueStatsMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.GetQueueStatsRequest, io.informerd.v1alpha1.GetQueueStatsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetQueueStats"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.GetQueueStatsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.GetQueueStatsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new WorkQueueServiceMethodDescriptorSupplier("GetQueueStats"))
              .build();
        }
      }
    }
    return getGetQueueStatsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.ListItemsRequest,
      io.informerd.v1alpha1.ListItemsResponse> getListItemsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListItems",
      requestType = io.informerd.v1alpha1.ListItemsRequest.class,
      responseType = io.informerd.v1alpha1.ListItemsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.ListItemsRequest,
      io.informerd.v1alpha1.ListItemsResponse> getListItemsMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.ListItemsRequest, io.informerd.v1alpha1.ListItemsResponse> getListItemsMethod;
    if ((getListItemsMethod = WorkQueueServiceGrpc.getListItemsMethod) == null) {
      synchronized (WorkQueueServiceGrpc.class) {
        if ((getListItemsMethod = WorkQueueServiceGrpc.getListItemsMethod) == null) {
          WorkQueueServiceGrpc.getListItemsMethod = getListItemsMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.ListItemsRequest, io.informerd.v1alpha1.ListItemsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListItems"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.ListItemsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.ListItemsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new WorkQueueServiceMethodDescriptorSupplier("ListItems"))
              .build();
        }
      }
    }
    return getListItemsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<io.informerd.v1alpha1.PeekItemsRequest,
      io.informerd.v1alpha1.PeekItemsResponse> getPeekItemsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "PeekItems",
      requestType = io.informerd.v1alpha1.PeekItemsRequest.class,
      responseType = io.informerd.v1alpha1.PeekItemsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<io.informerd.v1alpha1.PeekItemsRequest,
      io.informerd.v1alpha1.PeekItemsResponse> getPeekItemsMethod() {
    io.grpc.MethodDescriptor<io.informerd.v1alpha1.PeekItemsRequest, io.informerd.v1alpha1.PeekItemsResponse> getPeekItemsMethod;
    if ((getPeekItemsMethod = WorkQueueServiceGrpc.getPeekItemsMethod) == null) {
      synchronized (WorkQueueServiceGrpc.class) {
        if ((getPeekItemsMethod = WorkQueueServiceGrpc.getPeekItemsMethod) == null) {
          WorkQueueServiceGrpc.getPeekItemsMethod = getPeekItemsMethod =
              io.grpc.MethodDescriptor.<io.informerd.v1alpha1.PeekItemsRequest, io.informerd.v1alpha1.PeekItemsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "PeekItems"))
              .setSafe(true)
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.PeekItemsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  io.informerd.v1alpha1.PeekItemsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new WorkQueueServiceMethodDescriptorSupplier("PeekItems"))
              .build();
        }
      }
    }
    return getPeekItemsMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static WorkQueueServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<WorkQueueServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<WorkQueueServiceStub>() {
        @java.lang.Override
        public WorkQueueServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new WorkQueueServiceStub(channel, callOptions);
        }
      };
    return WorkQueueServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static WorkQueueServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<WorkQueueServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<WorkQueueServiceBlockingV2Stub>() {
        @java.lang.Override
        public WorkQueueServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new WorkQueueServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return WorkQueueServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static WorkQueueServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<WorkQueueServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<WorkQueueServiceBlockingStub>() {
        @java.lang.Override
        public WorkQueueServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new WorkQueueServiceBlockingStub(channel, callOptions);
        }
      };
    return WorkQueueServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static WorkQueueServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<WorkQueueServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<WorkQueueServiceFutureStub>() {
        @java.lang.Override
        public WorkQueueServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new WorkQueueServiceFutureStub(channel, callOptions);
        }
      };
    return WorkQueueServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * WorkQueueService is client-go's rate limiting work queue for worker processes in any language: deduplicated keys, handed
   * out under leases, and withheld until the cache has seen the worker's own writes.
   * Contract: at most one valid lease per key; a key that is added while it is leased is handed out again after the
   * completion. A lease is no lock on the world: a worker that stalls may go on after its lease has expired, so writes
   * should carry a resourceVersion or the fencing token. One queue lives in one server process; its state is memory,
   * rebuilt from the sources' initial events (see QueueSpec.restart_hold).
   * Errors of all calls: NOT_FOUND (QUEUE_NOT_FOUND, INFORMER_NOT_FOUND, INDEX_NOT_FOUND), INVALID_ARGUMENT (INVALID_FIELD,
   * INVALID_SELECTOR, INVALID_POINTER, INVALID_TOKEN), FAILED_PRECONDITION (QUEUE_DRAINING), ABORTED (EPOCH_CHANGED),
   * RESOURCE_EXHAUSTED (TOO_MANY_QUEUES). Errors of single items stand in their ItemResult.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * CreateQueue declares a queue. Idempotent: an equal normalised spec returns the existing queue; another spec under a
     * used id is ALREADY_EXISTS / QUEUE_SPEC_CONFLICT.
     * </pre>
     */
    default void createQueue(io.informerd.v1alpha1.CreateQueueRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.CreateQueueResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCreateQueueMethod(), responseObserver);
    }

    /**
     * <pre>
     * GetQueue returns one queue.
     * </pre>
     */
    default void getQueue(io.informerd.v1alpha1.GetQueueRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.GetQueueResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetQueueMethod(), responseObserver);
    }

    /**
     * <pre>
     * ListQueues returns all queues, ordered by name.
     * </pre>
     */
    default void listQueues(io.informerd.v1alpha1.ListQueuesRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ListQueuesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListQueuesMethod(), responseObserver);
    }

    /**
     * <pre>
     * DeleteQueue drops a queue with its keys; its leases are void and its long polls end with QUEUE_NOT_FOUND.
     * FAILED_PRECONDITION / QUEUE_IN_USE while items are leased, unless `force`.
     * </pre>
     */
    default void deleteQueue(io.informerd.v1alpha1.DeleteQueueRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.DeleteQueueResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDeleteQueueMethod(), responseObserver);
    }

    /**
     * <pre>
     * DrainQueue shuts a queue down (row Q5): it takes no new keys and forgets delayed ones. It returns when the queue is
     * drained or the timeout has passed. There is no way back; delete the queue and create it again.
     * </pre>
     */
    default void drainQueue(io.informerd.v1alpha1.DrainQueueRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.DrainQueueResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDrainQueueMethod(), responseObserver);
    }

    /**
     * <pre>
     * AddItems adds keys (Add, AddAfter, AddRateLimited; rows Q1, Q6, Q7, Y1). FAILED_PRECONDITION / QUEUE_DRAINING
     * once the queue drains.
     * </pre>
     */
    default void addItems(io.informerd.v1alpha1.AddItemsRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.AddItemsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getAddItemsMethod(), responseObserver);
    }

    /**
     * <pre>
     * ForgetItems clears the failure counts of keys (Forget, row Q7); it neither removes nor completes them.
     * </pre>
     */
    default void forgetItems(io.informerd.v1alpha1.ForgetItemsRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ForgetItemsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getForgetItemsMethod(), responseObserver);
    }

    /**
     * <pre>
     * AcquireItems hands out keys under leases (Get, row Q2), after it has taken the completions and extensions that the
     * request carries. Long poll: if there is nothing to hand out it waits. Polls are served in the order of their
     * arrival; a poll whose client is gone takes nothing.
     * </pre>
     */
    default void acquireItems(io.informerd.v1alpha1.AcquireItemsRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.AcquireItemsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getAcquireItemsMethod(), responseObserver);
    }

    /**
     * <pre>
     * CompleteItems ends leases (Done, and with the outcome Forget or AddRateLimited or AddAfter).
     * </pre>
     */
    default void completeItems(io.informerd.v1alpha1.CompleteItemsRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.CompleteItemsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCompleteItemsMethod(), responseObserver);
    }

    /**
     * <pre>
     * ExtendLeases gives leases their full duration again, from now.
     * </pre>
     */
    default void extendLeases(io.informerd.v1alpha1.ExtendLeasesRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ExtendLeasesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getExtendLeasesMethod(), responseObserver);
    }

    /**
     * <pre>
     * RunWorkerSession tells the server that a worker lives, and the worker what it should know. When the stream breaks,
     * the worker's leases end after a short grace (QueueSpec.session_grace) unless it opens a new session before.
     * Optional: without it only the lease duration finds a dead worker.
     * </pre>
     */
    default void runWorkerSession(io.informerd.v1alpha1.RunWorkerSessionRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.RunWorkerSessionResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRunWorkerSessionMethod(), responseObserver);
    }

    /**
     * <pre>
     * GetQueueStats returns numbers: depth, leases, delays, gates, retries.
     * </pre>
     */
    default void getQueueStats(io.informerd.v1alpha1.GetQueueStatsRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.GetQueueStatsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetQueueStatsMethod(), responseObserver);
    }

    /**
     * <pre>
     * ListItems shows keys in any state, a page at a time.
     * </pre>
     */
    default void listItems(io.informerd.v1alpha1.ListItemsRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ListItemsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListItemsMethod(), responseObserver);
    }

    /**
     * <pre>
     * PeekItems shows the keys that would be handed out next, in that order, without leasing them.
     * </pre>
     */
    default void peekItems(io.informerd.v1alpha1.PeekItemsRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.PeekItemsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getPeekItemsMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service WorkQueueService.
   * <pre>
   * WorkQueueService is client-go's rate limiting work queue for worker processes in any language: deduplicated keys, handed
   * out under leases, and withheld until the cache has seen the worker's own writes.
   * Contract: at most one valid lease per key; a key that is added while it is leased is handed out again after the
   * completion. A lease is no lock on the world: a worker that stalls may go on after its lease has expired, so writes
   * should carry a resourceVersion or the fencing token. One queue lives in one server process; its state is memory,
   * rebuilt from the sources' initial events (see QueueSpec.restart_hold).
   * Errors of all calls: NOT_FOUND (QUEUE_NOT_FOUND, INFORMER_NOT_FOUND, INDEX_NOT_FOUND), INVALID_ARGUMENT (INVALID_FIELD,
   * INVALID_SELECTOR, INVALID_POINTER, INVALID_TOKEN), FAILED_PRECONDITION (QUEUE_DRAINING), ABORTED (EPOCH_CHANGED),
   * RESOURCE_EXHAUSTED (TOO_MANY_QUEUES). Errors of single items stand in their ItemResult.
   * </pre>
   */
  public static abstract class WorkQueueServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return WorkQueueServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service WorkQueueService.
   * <pre>
   * WorkQueueService is client-go's rate limiting work queue for worker processes in any language: deduplicated keys, handed
   * out under leases, and withheld until the cache has seen the worker's own writes.
   * Contract: at most one valid lease per key; a key that is added while it is leased is handed out again after the
   * completion. A lease is no lock on the world: a worker that stalls may go on after its lease has expired, so writes
   * should carry a resourceVersion or the fencing token. One queue lives in one server process; its state is memory,
   * rebuilt from the sources' initial events (see QueueSpec.restart_hold).
   * Errors of all calls: NOT_FOUND (QUEUE_NOT_FOUND, INFORMER_NOT_FOUND, INDEX_NOT_FOUND), INVALID_ARGUMENT (INVALID_FIELD,
   * INVALID_SELECTOR, INVALID_POINTER, INVALID_TOKEN), FAILED_PRECONDITION (QUEUE_DRAINING), ABORTED (EPOCH_CHANGED),
   * RESOURCE_EXHAUSTED (TOO_MANY_QUEUES). Errors of single items stand in their ItemResult.
   * </pre>
   */
  public static final class WorkQueueServiceStub
      extends io.grpc.stub.AbstractAsyncStub<WorkQueueServiceStub> {
    private WorkQueueServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected WorkQueueServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new WorkQueueServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateQueue declares a queue. Idempotent: an equal normalised spec returns the existing queue; another spec under a
     * used id is ALREADY_EXISTS / QUEUE_SPEC_CONFLICT.
     * </pre>
     */
    public void createQueue(io.informerd.v1alpha1.CreateQueueRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.CreateQueueResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCreateQueueMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * GetQueue returns one queue.
     * </pre>
     */
    public void getQueue(io.informerd.v1alpha1.GetQueueRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.GetQueueResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetQueueMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ListQueues returns all queues, ordered by name.
     * </pre>
     */
    public void listQueues(io.informerd.v1alpha1.ListQueuesRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ListQueuesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListQueuesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * DeleteQueue drops a queue with its keys; its leases are void and its long polls end with QUEUE_NOT_FOUND.
     * FAILED_PRECONDITION / QUEUE_IN_USE while items are leased, unless `force`.
     * </pre>
     */
    public void deleteQueue(io.informerd.v1alpha1.DeleteQueueRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.DeleteQueueResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDeleteQueueMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * DrainQueue shuts a queue down (row Q5): it takes no new keys and forgets delayed ones. It returns when the queue is
     * drained or the timeout has passed. There is no way back; delete the queue and create it again.
     * </pre>
     */
    public void drainQueue(io.informerd.v1alpha1.DrainQueueRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.DrainQueueResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDrainQueueMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * AddItems adds keys (Add, AddAfter, AddRateLimited; rows Q1, Q6, Q7, Y1). FAILED_PRECONDITION / QUEUE_DRAINING
     * once the queue drains.
     * </pre>
     */
    public void addItems(io.informerd.v1alpha1.AddItemsRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.AddItemsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getAddItemsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ForgetItems clears the failure counts of keys (Forget, row Q7); it neither removes nor completes them.
     * </pre>
     */
    public void forgetItems(io.informerd.v1alpha1.ForgetItemsRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ForgetItemsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getForgetItemsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * AcquireItems hands out keys under leases (Get, row Q2), after it has taken the completions and extensions that the
     * request carries. Long poll: if there is nothing to hand out it waits. Polls are served in the order of their
     * arrival; a poll whose client is gone takes nothing.
     * </pre>
     */
    public void acquireItems(io.informerd.v1alpha1.AcquireItemsRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.AcquireItemsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getAcquireItemsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * CompleteItems ends leases (Done, and with the outcome Forget or AddRateLimited or AddAfter).
     * </pre>
     */
    public void completeItems(io.informerd.v1alpha1.CompleteItemsRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.CompleteItemsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCompleteItemsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ExtendLeases gives leases their full duration again, from now.
     * </pre>
     */
    public void extendLeases(io.informerd.v1alpha1.ExtendLeasesRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ExtendLeasesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getExtendLeasesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * RunWorkerSession tells the server that a worker lives, and the worker what it should know. When the stream breaks,
     * the worker's leases end after a short grace (QueueSpec.session_grace) unless it opens a new session before.
     * Optional: without it only the lease duration finds a dead worker.
     * </pre>
     */
    public void runWorkerSession(io.informerd.v1alpha1.RunWorkerSessionRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.RunWorkerSessionResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getRunWorkerSessionMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * GetQueueStats returns numbers: depth, leases, delays, gates, retries.
     * </pre>
     */
    public void getQueueStats(io.informerd.v1alpha1.GetQueueStatsRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.GetQueueStatsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetQueueStatsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * ListItems shows keys in any state, a page at a time.
     * </pre>
     */
    public void listItems(io.informerd.v1alpha1.ListItemsRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ListItemsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListItemsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * PeekItems shows the keys that would be handed out next, in that order, without leasing them.
     * </pre>
     */
    public void peekItems(io.informerd.v1alpha1.PeekItemsRequest request,
        io.grpc.stub.StreamObserver<io.informerd.v1alpha1.PeekItemsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getPeekItemsMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service WorkQueueService.
   * <pre>
   * WorkQueueService is client-go's rate limiting work queue for worker processes in any language: deduplicated keys, handed
   * out under leases, and withheld until the cache has seen the worker's own writes.
   * Contract: at most one valid lease per key; a key that is added while it is leased is handed out again after the
   * completion. A lease is no lock on the world: a worker that stalls may go on after its lease has expired, so writes
   * should carry a resourceVersion or the fencing token. One queue lives in one server process; its state is memory,
   * rebuilt from the sources' initial events (see QueueSpec.restart_hold).
   * Errors of all calls: NOT_FOUND (QUEUE_NOT_FOUND, INFORMER_NOT_FOUND, INDEX_NOT_FOUND), INVALID_ARGUMENT (INVALID_FIELD,
   * INVALID_SELECTOR, INVALID_POINTER, INVALID_TOKEN), FAILED_PRECONDITION (QUEUE_DRAINING), ABORTED (EPOCH_CHANGED),
   * RESOURCE_EXHAUSTED (TOO_MANY_QUEUES). Errors of single items stand in their ItemResult.
   * </pre>
   */
  public static final class WorkQueueServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<WorkQueueServiceBlockingV2Stub> {
    private WorkQueueServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected WorkQueueServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new WorkQueueServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateQueue declares a queue. Idempotent: an equal normalised spec returns the existing queue; another spec under a
     * used id is ALREADY_EXISTS / QUEUE_SPEC_CONFLICT.
     * </pre>
     */
    public io.informerd.v1alpha1.CreateQueueResponse createQueue(io.informerd.v1alpha1.CreateQueueRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCreateQueueMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetQueue returns one queue.
     * </pre>
     */
    public io.informerd.v1alpha1.GetQueueResponse getQueue(io.informerd.v1alpha1.GetQueueRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetQueueMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListQueues returns all queues, ordered by name.
     * </pre>
     */
    public io.informerd.v1alpha1.ListQueuesResponse listQueues(io.informerd.v1alpha1.ListQueuesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListQueuesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * DeleteQueue drops a queue with its keys; its leases are void and its long polls end with QUEUE_NOT_FOUND.
     * FAILED_PRECONDITION / QUEUE_IN_USE while items are leased, unless `force`.
     * </pre>
     */
    public io.informerd.v1alpha1.DeleteQueueResponse deleteQueue(io.informerd.v1alpha1.DeleteQueueRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getDeleteQueueMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * DrainQueue shuts a queue down (row Q5): it takes no new keys and forgets delayed ones. It returns when the queue is
     * drained or the timeout has passed. There is no way back; delete the queue and create it again.
     * </pre>
     */
    public io.informerd.v1alpha1.DrainQueueResponse drainQueue(io.informerd.v1alpha1.DrainQueueRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getDrainQueueMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * AddItems adds keys (Add, AddAfter, AddRateLimited; rows Q1, Q6, Q7, Y1). FAILED_PRECONDITION / QUEUE_DRAINING
     * once the queue drains.
     * </pre>
     */
    public io.informerd.v1alpha1.AddItemsResponse addItems(io.informerd.v1alpha1.AddItemsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getAddItemsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ForgetItems clears the failure counts of keys (Forget, row Q7); it neither removes nor completes them.
     * </pre>
     */
    public io.informerd.v1alpha1.ForgetItemsResponse forgetItems(io.informerd.v1alpha1.ForgetItemsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getForgetItemsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * AcquireItems hands out keys under leases (Get, row Q2), after it has taken the completions and extensions that the
     * request carries. Long poll: if there is nothing to hand out it waits. Polls are served in the order of their
     * arrival; a poll whose client is gone takes nothing.
     * </pre>
     */
    public io.informerd.v1alpha1.AcquireItemsResponse acquireItems(io.informerd.v1alpha1.AcquireItemsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getAcquireItemsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * CompleteItems ends leases (Done, and with the outcome Forget or AddRateLimited or AddAfter).
     * </pre>
     */
    public io.informerd.v1alpha1.CompleteItemsResponse completeItems(io.informerd.v1alpha1.CompleteItemsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCompleteItemsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ExtendLeases gives leases their full duration again, from now.
     * </pre>
     */
    public io.informerd.v1alpha1.ExtendLeasesResponse extendLeases(io.informerd.v1alpha1.ExtendLeasesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getExtendLeasesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * RunWorkerSession tells the server that a worker lives, and the worker what it should know. When the stream breaks,
     * the worker's leases end after a short grace (QueueSpec.session_grace) unless it opens a new session before.
     * Optional: without it only the lease duration finds a dead worker.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, io.informerd.v1alpha1.RunWorkerSessionResponse>
        runWorkerSession(io.informerd.v1alpha1.RunWorkerSessionRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getRunWorkerSessionMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetQueueStats returns numbers: depth, leases, delays, gates, retries.
     * </pre>
     */
    public io.informerd.v1alpha1.GetQueueStatsResponse getQueueStats(io.informerd.v1alpha1.GetQueueStatsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetQueueStatsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListItems shows keys in any state, a page at a time.
     * </pre>
     */
    public io.informerd.v1alpha1.ListItemsResponse listItems(io.informerd.v1alpha1.ListItemsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListItemsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * PeekItems shows the keys that would be handed out next, in that order, without leasing them.
     * </pre>
     */
    public io.informerd.v1alpha1.PeekItemsResponse peekItems(io.informerd.v1alpha1.PeekItemsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getPeekItemsMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service WorkQueueService.
   * <pre>
   * WorkQueueService is client-go's rate limiting work queue for worker processes in any language: deduplicated keys, handed
   * out under leases, and withheld until the cache has seen the worker's own writes.
   * Contract: at most one valid lease per key; a key that is added while it is leased is handed out again after the
   * completion. A lease is no lock on the world: a worker that stalls may go on after its lease has expired, so writes
   * should carry a resourceVersion or the fencing token. One queue lives in one server process; its state is memory,
   * rebuilt from the sources' initial events (see QueueSpec.restart_hold).
   * Errors of all calls: NOT_FOUND (QUEUE_NOT_FOUND, INFORMER_NOT_FOUND, INDEX_NOT_FOUND), INVALID_ARGUMENT (INVALID_FIELD,
   * INVALID_SELECTOR, INVALID_POINTER, INVALID_TOKEN), FAILED_PRECONDITION (QUEUE_DRAINING), ABORTED (EPOCH_CHANGED),
   * RESOURCE_EXHAUSTED (TOO_MANY_QUEUES). Errors of single items stand in their ItemResult.
   * </pre>
   */
  public static final class WorkQueueServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<WorkQueueServiceBlockingStub> {
    private WorkQueueServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected WorkQueueServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new WorkQueueServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateQueue declares a queue. Idempotent: an equal normalised spec returns the existing queue; another spec under a
     * used id is ALREADY_EXISTS / QUEUE_SPEC_CONFLICT.
     * </pre>
     */
    public io.informerd.v1alpha1.CreateQueueResponse createQueue(io.informerd.v1alpha1.CreateQueueRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCreateQueueMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetQueue returns one queue.
     * </pre>
     */
    public io.informerd.v1alpha1.GetQueueResponse getQueue(io.informerd.v1alpha1.GetQueueRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetQueueMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListQueues returns all queues, ordered by name.
     * </pre>
     */
    public io.informerd.v1alpha1.ListQueuesResponse listQueues(io.informerd.v1alpha1.ListQueuesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListQueuesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * DeleteQueue drops a queue with its keys; its leases are void and its long polls end with QUEUE_NOT_FOUND.
     * FAILED_PRECONDITION / QUEUE_IN_USE while items are leased, unless `force`.
     * </pre>
     */
    public io.informerd.v1alpha1.DeleteQueueResponse deleteQueue(io.informerd.v1alpha1.DeleteQueueRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDeleteQueueMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * DrainQueue shuts a queue down (row Q5): it takes no new keys and forgets delayed ones. It returns when the queue is
     * drained or the timeout has passed. There is no way back; delete the queue and create it again.
     * </pre>
     */
    public io.informerd.v1alpha1.DrainQueueResponse drainQueue(io.informerd.v1alpha1.DrainQueueRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDrainQueueMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * AddItems adds keys (Add, AddAfter, AddRateLimited; rows Q1, Q6, Q7, Y1). FAILED_PRECONDITION / QUEUE_DRAINING
     * once the queue drains.
     * </pre>
     */
    public io.informerd.v1alpha1.AddItemsResponse addItems(io.informerd.v1alpha1.AddItemsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getAddItemsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ForgetItems clears the failure counts of keys (Forget, row Q7); it neither removes nor completes them.
     * </pre>
     */
    public io.informerd.v1alpha1.ForgetItemsResponse forgetItems(io.informerd.v1alpha1.ForgetItemsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getForgetItemsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * AcquireItems hands out keys under leases (Get, row Q2), after it has taken the completions and extensions that the
     * request carries. Long poll: if there is nothing to hand out it waits. Polls are served in the order of their
     * arrival; a poll whose client is gone takes nothing.
     * </pre>
     */
    public io.informerd.v1alpha1.AcquireItemsResponse acquireItems(io.informerd.v1alpha1.AcquireItemsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getAcquireItemsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * CompleteItems ends leases (Done, and with the outcome Forget or AddRateLimited or AddAfter).
     * </pre>
     */
    public io.informerd.v1alpha1.CompleteItemsResponse completeItems(io.informerd.v1alpha1.CompleteItemsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCompleteItemsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ExtendLeases gives leases their full duration again, from now.
     * </pre>
     */
    public io.informerd.v1alpha1.ExtendLeasesResponse extendLeases(io.informerd.v1alpha1.ExtendLeasesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getExtendLeasesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * RunWorkerSession tells the server that a worker lives, and the worker what it should know. When the stream breaks,
     * the worker's leases end after a short grace (QueueSpec.session_grace) unless it opens a new session before.
     * Optional: without it only the lease duration finds a dead worker.
     * </pre>
     */
    public java.util.Iterator<io.informerd.v1alpha1.RunWorkerSessionResponse> runWorkerSession(
        io.informerd.v1alpha1.RunWorkerSessionRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getRunWorkerSessionMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * GetQueueStats returns numbers: depth, leases, delays, gates, retries.
     * </pre>
     */
    public io.informerd.v1alpha1.GetQueueStatsResponse getQueueStats(io.informerd.v1alpha1.GetQueueStatsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetQueueStatsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * ListItems shows keys in any state, a page at a time.
     * </pre>
     */
    public io.informerd.v1alpha1.ListItemsResponse listItems(io.informerd.v1alpha1.ListItemsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListItemsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * PeekItems shows the keys that would be handed out next, in that order, without leasing them.
     * </pre>
     */
    public io.informerd.v1alpha1.PeekItemsResponse peekItems(io.informerd.v1alpha1.PeekItemsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getPeekItemsMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service WorkQueueService.
   * <pre>
   * WorkQueueService is client-go's rate limiting work queue for worker processes in any language: deduplicated keys, handed
   * out under leases, and withheld until the cache has seen the worker's own writes.
   * Contract: at most one valid lease per key; a key that is added while it is leased is handed out again after the
   * completion. A lease is no lock on the world: a worker that stalls may go on after its lease has expired, so writes
   * should carry a resourceVersion or the fencing token. One queue lives in one server process; its state is memory,
   * rebuilt from the sources' initial events (see QueueSpec.restart_hold).
   * Errors of all calls: NOT_FOUND (QUEUE_NOT_FOUND, INFORMER_NOT_FOUND, INDEX_NOT_FOUND), INVALID_ARGUMENT (INVALID_FIELD,
   * INVALID_SELECTOR, INVALID_POINTER, INVALID_TOKEN), FAILED_PRECONDITION (QUEUE_DRAINING), ABORTED (EPOCH_CHANGED),
   * RESOURCE_EXHAUSTED (TOO_MANY_QUEUES). Errors of single items stand in their ItemResult.
   * </pre>
   */
  public static final class WorkQueueServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<WorkQueueServiceFutureStub> {
    private WorkQueueServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected WorkQueueServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new WorkQueueServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * CreateQueue declares a queue. Idempotent: an equal normalised spec returns the existing queue; another spec under a
     * used id is ALREADY_EXISTS / QUEUE_SPEC_CONFLICT.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.CreateQueueResponse> createQueue(
        io.informerd.v1alpha1.CreateQueueRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCreateQueueMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * GetQueue returns one queue.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.GetQueueResponse> getQueue(
        io.informerd.v1alpha1.GetQueueRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetQueueMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ListQueues returns all queues, ordered by name.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.ListQueuesResponse> listQueues(
        io.informerd.v1alpha1.ListQueuesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListQueuesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * DeleteQueue drops a queue with its keys; its leases are void and its long polls end with QUEUE_NOT_FOUND.
     * FAILED_PRECONDITION / QUEUE_IN_USE while items are leased, unless `force`.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.DeleteQueueResponse> deleteQueue(
        io.informerd.v1alpha1.DeleteQueueRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDeleteQueueMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * DrainQueue shuts a queue down (row Q5): it takes no new keys and forgets delayed ones. It returns when the queue is
     * drained or the timeout has passed. There is no way back; delete the queue and create it again.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.DrainQueueResponse> drainQueue(
        io.informerd.v1alpha1.DrainQueueRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDrainQueueMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * AddItems adds keys (Add, AddAfter, AddRateLimited; rows Q1, Q6, Q7, Y1). FAILED_PRECONDITION / QUEUE_DRAINING
     * once the queue drains.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.AddItemsResponse> addItems(
        io.informerd.v1alpha1.AddItemsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getAddItemsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ForgetItems clears the failure counts of keys (Forget, row Q7); it neither removes nor completes them.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.ForgetItemsResponse> forgetItems(
        io.informerd.v1alpha1.ForgetItemsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getForgetItemsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * AcquireItems hands out keys under leases (Get, row Q2), after it has taken the completions and extensions that the
     * request carries. Long poll: if there is nothing to hand out it waits. Polls are served in the order of their
     * arrival; a poll whose client is gone takes nothing.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.AcquireItemsResponse> acquireItems(
        io.informerd.v1alpha1.AcquireItemsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getAcquireItemsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * CompleteItems ends leases (Done, and with the outcome Forget or AddRateLimited or AddAfter).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.CompleteItemsResponse> completeItems(
        io.informerd.v1alpha1.CompleteItemsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCompleteItemsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ExtendLeases gives leases their full duration again, from now.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.ExtendLeasesResponse> extendLeases(
        io.informerd.v1alpha1.ExtendLeasesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getExtendLeasesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * GetQueueStats returns numbers: depth, leases, delays, gates, retries.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.GetQueueStatsResponse> getQueueStats(
        io.informerd.v1alpha1.GetQueueStatsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetQueueStatsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * ListItems shows keys in any state, a page at a time.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.ListItemsResponse> listItems(
        io.informerd.v1alpha1.ListItemsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListItemsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * PeekItems shows the keys that would be handed out next, in that order, without leasing them.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<io.informerd.v1alpha1.PeekItemsResponse> peekItems(
        io.informerd.v1alpha1.PeekItemsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getPeekItemsMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_CREATE_QUEUE = 0;
  private static final int METHODID_GET_QUEUE = 1;
  private static final int METHODID_LIST_QUEUES = 2;
  private static final int METHODID_DELETE_QUEUE = 3;
  private static final int METHODID_DRAIN_QUEUE = 4;
  private static final int METHODID_ADD_ITEMS = 5;
  private static final int METHODID_FORGET_ITEMS = 6;
  private static final int METHODID_ACQUIRE_ITEMS = 7;
  private static final int METHODID_COMPLETE_ITEMS = 8;
  private static final int METHODID_EXTEND_LEASES = 9;
  private static final int METHODID_RUN_WORKER_SESSION = 10;
  private static final int METHODID_GET_QUEUE_STATS = 11;
  private static final int METHODID_LIST_ITEMS = 12;
  private static final int METHODID_PEEK_ITEMS = 13;

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
        case METHODID_CREATE_QUEUE:
          serviceImpl.createQueue((io.informerd.v1alpha1.CreateQueueRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.CreateQueueResponse>) responseObserver);
          break;
        case METHODID_GET_QUEUE:
          serviceImpl.getQueue((io.informerd.v1alpha1.GetQueueRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.GetQueueResponse>) responseObserver);
          break;
        case METHODID_LIST_QUEUES:
          serviceImpl.listQueues((io.informerd.v1alpha1.ListQueuesRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ListQueuesResponse>) responseObserver);
          break;
        case METHODID_DELETE_QUEUE:
          serviceImpl.deleteQueue((io.informerd.v1alpha1.DeleteQueueRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.DeleteQueueResponse>) responseObserver);
          break;
        case METHODID_DRAIN_QUEUE:
          serviceImpl.drainQueue((io.informerd.v1alpha1.DrainQueueRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.DrainQueueResponse>) responseObserver);
          break;
        case METHODID_ADD_ITEMS:
          serviceImpl.addItems((io.informerd.v1alpha1.AddItemsRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.AddItemsResponse>) responseObserver);
          break;
        case METHODID_FORGET_ITEMS:
          serviceImpl.forgetItems((io.informerd.v1alpha1.ForgetItemsRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ForgetItemsResponse>) responseObserver);
          break;
        case METHODID_ACQUIRE_ITEMS:
          serviceImpl.acquireItems((io.informerd.v1alpha1.AcquireItemsRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.AcquireItemsResponse>) responseObserver);
          break;
        case METHODID_COMPLETE_ITEMS:
          serviceImpl.completeItems((io.informerd.v1alpha1.CompleteItemsRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.CompleteItemsResponse>) responseObserver);
          break;
        case METHODID_EXTEND_LEASES:
          serviceImpl.extendLeases((io.informerd.v1alpha1.ExtendLeasesRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ExtendLeasesResponse>) responseObserver);
          break;
        case METHODID_RUN_WORKER_SESSION:
          serviceImpl.runWorkerSession((io.informerd.v1alpha1.RunWorkerSessionRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.RunWorkerSessionResponse>) responseObserver);
          break;
        case METHODID_GET_QUEUE_STATS:
          serviceImpl.getQueueStats((io.informerd.v1alpha1.GetQueueStatsRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.GetQueueStatsResponse>) responseObserver);
          break;
        case METHODID_LIST_ITEMS:
          serviceImpl.listItems((io.informerd.v1alpha1.ListItemsRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.ListItemsResponse>) responseObserver);
          break;
        case METHODID_PEEK_ITEMS:
          serviceImpl.peekItems((io.informerd.v1alpha1.PeekItemsRequest) request,
              (io.grpc.stub.StreamObserver<io.informerd.v1alpha1.PeekItemsResponse>) responseObserver);
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
          getCreateQueueMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.CreateQueueRequest,
              io.informerd.v1alpha1.CreateQueueResponse>(
                service, METHODID_CREATE_QUEUE)))
        .addMethod(
          getGetQueueMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.GetQueueRequest,
              io.informerd.v1alpha1.GetQueueResponse>(
                service, METHODID_GET_QUEUE)))
        .addMethod(
          getListQueuesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.ListQueuesRequest,
              io.informerd.v1alpha1.ListQueuesResponse>(
                service, METHODID_LIST_QUEUES)))
        .addMethod(
          getDeleteQueueMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.DeleteQueueRequest,
              io.informerd.v1alpha1.DeleteQueueResponse>(
                service, METHODID_DELETE_QUEUE)))
        .addMethod(
          getDrainQueueMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.DrainQueueRequest,
              io.informerd.v1alpha1.DrainQueueResponse>(
                service, METHODID_DRAIN_QUEUE)))
        .addMethod(
          getAddItemsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.AddItemsRequest,
              io.informerd.v1alpha1.AddItemsResponse>(
                service, METHODID_ADD_ITEMS)))
        .addMethod(
          getForgetItemsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.ForgetItemsRequest,
              io.informerd.v1alpha1.ForgetItemsResponse>(
                service, METHODID_FORGET_ITEMS)))
        .addMethod(
          getAcquireItemsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.AcquireItemsRequest,
              io.informerd.v1alpha1.AcquireItemsResponse>(
                service, METHODID_ACQUIRE_ITEMS)))
        .addMethod(
          getCompleteItemsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.CompleteItemsRequest,
              io.informerd.v1alpha1.CompleteItemsResponse>(
                service, METHODID_COMPLETE_ITEMS)))
        .addMethod(
          getExtendLeasesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.ExtendLeasesRequest,
              io.informerd.v1alpha1.ExtendLeasesResponse>(
                service, METHODID_EXTEND_LEASES)))
        .addMethod(
          getRunWorkerSessionMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              io.informerd.v1alpha1.RunWorkerSessionRequest,
              io.informerd.v1alpha1.RunWorkerSessionResponse>(
                service, METHODID_RUN_WORKER_SESSION)))
        .addMethod(
          getGetQueueStatsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.GetQueueStatsRequest,
              io.informerd.v1alpha1.GetQueueStatsResponse>(
                service, METHODID_GET_QUEUE_STATS)))
        .addMethod(
          getListItemsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.ListItemsRequest,
              io.informerd.v1alpha1.ListItemsResponse>(
                service, METHODID_LIST_ITEMS)))
        .addMethod(
          getPeekItemsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              io.informerd.v1alpha1.PeekItemsRequest,
              io.informerd.v1alpha1.PeekItemsResponse>(
                service, METHODID_PEEK_ITEMS)))
        .build();
  }

  private static abstract class WorkQueueServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    WorkQueueServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return io.informerd.v1alpha1.WorkqueueProto.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("WorkQueueService");
    }
  }

  private static final class WorkQueueServiceFileDescriptorSupplier
      extends WorkQueueServiceBaseDescriptorSupplier {
    WorkQueueServiceFileDescriptorSupplier() {}
  }

  private static final class WorkQueueServiceMethodDescriptorSupplier
      extends WorkQueueServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    WorkQueueServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (WorkQueueServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new WorkQueueServiceFileDescriptorSupplier())
              .addMethod(getCreateQueueMethod())
              .addMethod(getGetQueueMethod())
              .addMethod(getListQueuesMethod())
              .addMethod(getDeleteQueueMethod())
              .addMethod(getDrainQueueMethod())
              .addMethod(getAddItemsMethod())
              .addMethod(getForgetItemsMethod())
              .addMethod(getAcquireItemsMethod())
              .addMethod(getCompleteItemsMethod())
              .addMethod(getExtendLeasesMethod())
              .addMethod(getRunWorkerSessionMethod())
              .addMethod(getGetQueueStatsMethod())
              .addMethod(getListItemsMethod())
              .addMethod(getPeekItemsMethod())
              .build();
        }
      }
    }
    return result;
  }
}
