package io.informerd.example;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;

/**
 * Shows how a Java program uses informerd: follows a resource from snapshot to live deltas, gets an object, and looks
 * objects up by an index. Prints one JSON object per line.
 */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    int code = run(arguments);
    // System.exit ends the program although the shutdown hook of `follow` may be waiting for this thread: the hook then
    // finds the follower finished.
    System.exit(code);
  }

  private static int run(String[] arguments) {
    Options options;
    try {
      options = Options.parse(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println("example: " + e.getMessage() + "\n" + Options.USAGE);
      return 2;
    }
    ManagedChannel channel = Connection.connect(options.server());
    try {
      switch (options.command()) {
        case "follow" -> follow(channel, options);
        case "index" -> Queries.listByIndex(channel, options);
        default -> Queries.get(channel, options);
      }
      return 0;
    } catch (StatusRuntimeException e) {
      System.err.println("example: " + describe(e.getStatus()));
      return 1;
    } catch (IOException e) {
      System.err.println("example: " + e);
      return 1;
    } finally {
      channel.shutdownNow();
    }
  }

  /** One line for people. If there is no connection, only the cause says why. */
  static String describe(Status status) {
    String text = status.getCode() + ": " + status.getDescription();
    return status.getCause() == null ? text : text + ": " + status.getCause();
  }

  private static void follow(ManagedChannel channel, Options options) throws IOException {
    Follower follower = new Follower(channel, options);
    // SIGTERM and SIGINT start the shutdown hooks, and the JVM would end with 128 + the signal's number; being asked to
    // stop is no failure, so the hook lets the follower save its state and ends with 0.
    Thread hook =
        new Thread(
            () -> {
              if (follower.stopAndWait()) {
                Runtime.getRuntime().halt(0);
              }
            });
    Runtime.getRuntime().addShutdownHook(hook);
    follower.run();
  }
}
