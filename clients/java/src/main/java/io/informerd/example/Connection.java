package io.informerd.example;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.informerd.v1alpha1.Filter;
import io.informerd.v1alpha1.InformerSelector;
import io.informerd.v1alpha1.Projection;
import io.informerd.v1alpha1.ResourceRef;
import io.informerd.v1alpha1.View;
import java.net.URI;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Where informerd is, and how to reach it. */
final class Connection {
  static final String DEFAULT_SERVER = "unix:///run/informerd/informerd.sock";

  /** Held here because the JDK forgets a logger, and its level, that nobody refers to. */
  private static final Logger NETTY_BOOTSTRAP =
      Logger.getLogger("io.grpc.netty.shaded.io.netty.bootstrap");

  private Connection() {}

  static String serverFromEnvironment() {
    String server = System.getenv("INFORMERD_SERVER");
    return server == null || server.isEmpty() ? DEFAULT_SERVER : server;
  }

  /** The gRPC target of unix:///path or http://host:port. */
  static String targetOf(String server) {
    URI address = URI.create(server);
    if ("unix".equals(address.getScheme())
        && address.getAuthority() == null
        && address.getPath() != null
        && !address.getPath().isEmpty()) {
      return "unix://" + address.getPath();
    }
    if ("http".equals(address.getScheme()) && address.getHost() != null && address.getPort() > 0) {
      return "dns:///" + address.getAuthority();
    }
    throw new IllegalArgumentException(
        "server address " + server + " is neither unix:///path nor http://host:port");
  }

  /** Opens a channel. It does not wait for the server. */
  static ManagedChannel connect(String server) {
    String target = targetOf(server);
    ManagedChannelBuilder<?> builder =
        Grpc.newChannelBuilder(target, InsecureChannelCredentials.create());
    if (target.startsWith("unix:")) {
      // grpc-java would send the path of the socket, percent-encoded, as the HTTP/2 authority. That is not a valid one,
      // and informerd's HTTP/2 library refuses the request with PROTOCOL_ERROR.
      builder.overrideAuthority("localhost");
      // grpc-java asks for TCP keepalive on every socket; for a Unix one Netty warns that there is no such option.
      NETTY_BOOTSTRAP.setLevel(Level.SEVERE);
    }
    return builder.build();
  }

  /** The informer of a resource; informerd starts one if there is none. */
  static InformerSelector byResource(String resource) {
    return InformerSelector.newBuilder()
        .setResource(ResourceRef.newBuilder().setResource(resource))
        .build();
  }

  static Projection projectionOf(String view) {
    View value =
        switch (view) {
          case "reference" -> View.VIEW_REFERENCE;
          case "metadata" -> View.VIEW_METADATA;
          case "full" -> View.VIEW_FULL;
          default -> throw new IllegalArgumentException(
              "--view " + view + " is none of reference, metadata, full");
        };
    return Projection.newBuilder().setView(value).build();
  }

  /** A filter of one namespace, or of all if it is empty. */
  static Filter inNamespace(String namespace) {
    Filter.Builder filter = Filter.newBuilder();
    if (!namespace.isEmpty()) {
      filter.addNamespaces(namespace);
    }
    return filter.build();
  }
}
