package io.informerd.example;

import com.google.protobuf.Duration;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.informerd.v1alpha1.CacheStatus;
import io.informerd.v1alpha1.EventType;
import io.informerd.v1alpha1.StartResume;
import io.informerd.v1alpha1.StartSnapshot;
import io.informerd.v1alpha1.SubscriptionServiceGrpc;
import io.informerd.v1alpha1.WatchEvent;
import io.informerd.v1alpha1.WatchMode;
import io.informerd.v1alpha1.WatchRequest;
import io.informerd.v1alpha1.WatchResponse;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A watch that is kept open across everything that can end one.
 *
 * <pre>
 *          .--------------- jittered backoff <--------------.
 *          v                                                |
 * load -> watch from token or snapshot -> apply -> save ... end of stream
 * </pre>
 */
final class Follower {
  private static final long FIRST_DELAY_MILLIS = 100;
  private static final long MAX_DELAY_MILLIS = 5_000;

  /** Bounds the work of saving: an older token with its own keys is right too, it only repeats some events. */
  private static final long SAVE_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How many bookmarks may fail to come before the stream is taken for dead. */
  private static final int SILENT_INTERVALS = 3;

  private static final long DEFAULT_BOOKMARK_MILLIS = 15_000;

  /** Errors that no repetition cures. All others go away: a server that is not there, shuts down, or has not synced. */
  private static final Set<Status.Code> REQUEST_ERRORS =
      EnumSet.of(
          Status.Code.INVALID_ARGUMENT,
          Status.Code.NOT_FOUND,
          Status.Code.UNIMPLEMENTED,
          Status.Code.PERMISSION_DENIED,
          Status.Code.UNAUTHENTICATED);

  private final ManagedChannel channel;
  private final Options options;
  private final Held held;
  private final Context.CancellableContext stopping = Context.ROOT.withCancellation();
  private final CountDownLatch stopRequested = new CountDownLatch(1);
  private final CountDownLatch finished = new CountDownLatch(1);
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "watchdog");
            thread.setDaemon(true);
            return thread;
          });
  private long saved = System.nanoTime() - SAVE_EVERY_NANOS;
  private long received; // events printed
  private int failures; // attempts since the last complete view
  private long pauseMillis; // what the server asked for before the next attempt
  private volatile boolean failed;

  Follower(ManagedChannel channel, Options options) throws IOException {
    this.channel = channel;
    this.options = options;
    this.held = Held.load(options.tokenFile());
  }

  /**
   * Ends {@link #run} from another thread and waits until the state is saved. False if there was nothing to end, or if
   * it ended with an error.
   */
  boolean stopAndWait() {
    boolean running = finished.getCount() > 0;
    stopRequested.countDown();
    stopping.cancel(null);
    try {
      finished.await();
    } catch (InterruptedException e) {
      return false;
    }
    return running && !failed;
  }

  /** Follows until it is stopped, or the end that was asked for, or until the server says that the request is wrong. */
  void run() throws IOException {
    failed = true;
    try {
      try {
        follow();
      } finally {
        save();
      }
      failed = false;
    } finally {
      timer.shutdownNow();
      finished.countDown();
    }
  }

  private void follow() throws IOException {
    while (!stopping.isCancelled()) {
      String reason;
      try {
        if (watch()) {
          return;
        }
        reason = "the server ended the stream";
      } catch (StatusRuntimeException e) {
        if (stopping.isCancelled()) {
          return;
        }
        if (REQUEST_ERRORS.contains(e.getStatus().getCode())) {
          throw e;
        }
        reason = Main.describe(e.getStatus());
      }
      long delay = nextDelayMillis();
      System.err.println("example: " + reason + "; next attempt in " + delay + " ms");
      try {
        if (stopRequested.await(delay, TimeUnit.MILLISECONDS)) {
          return;
        }
      } catch (InterruptedException e) {
        return;
      }
      // The channel's own pause between connection attempts grows to two minutes. Calls fail during the pause, so a
      // sidecar that was away for long would be found again late.
      channel.resetConnectBackoff();
    }
  }

  /** Runs one stream to its end; true if the program is done. */
  private boolean watch() throws IOException {
    Context.CancellableContext call = stopping.withCancellation();
    Context previous = call.attach();
    ScheduledFuture<?> watchdog = null;
    try {
      Iterator<WatchResponse> responses =
          SubscriptionServiceGrpc.newBlockingStub(channel).watch(request());
      // informerd sends `created` at once and then at least a bookmark per interval: silence means a connection that
      // died without a word.
      long silenceMillis = SILENT_INTERVALS * DEFAULT_BOOKMARK_MILLIS;
      while (true) {
        watchdog =
            timer.schedule(
                () -> call.cancel(new IOException("the stream went silent")),
                silenceMillis,
                TimeUnit.MILLISECONDS);
        if (!responses.hasNext()) {
          return false;
        }
        watchdog.cancel(false);
        WatchResponse response = responses.next();
        if (response.getCreated().hasBookmarkInterval()) {
          silenceMillis = SILENT_INTERVALS * millis(response.getCreated().getBookmarkInterval());
        }
        if (apply(response)) {
          return true;
        }
      }
    } finally {
      if (watchdog != null) {
        watchdog.cancel(false);
      }
      call.detachAndCancel(previous, null);
    }
  }

  private WatchRequest request() {
    WatchRequest.Builder request =
        WatchRequest.newBuilder()
            .setInformer(Connection.byResource(options.resource()))
            .setFilter(Connection.inNamespace(options.namespace()))
            .setProjection(Connection.projectionOf(options.view()))
            .setClientId("java-example");
    if (held.token().isEmpty()) {
      request.setSnapshot(StartSnapshot.getDefaultInstance());
    } else {
      request.setResume(StartResume.newBuilder().setToken(held.token()));
    }
    return request.build();
  }

  /**
   * Takes one message: first its events, then its control frame, and last its token, which stands for all of them. True
   * if the program is done.
   */
  private boolean apply(WatchResponse response) throws IOException {
    WatchResponse.ControlCase control = response.getControlCase();
    int position = 0;
    for (WatchEvent event : response.getEventsList()) {
      apply(event);
      position++;
      received++;
      if (received == options.events()) {
        if (position == response.getEventsCount()
            && control == WatchResponse.ControlCase.CONTROL_NOT_SET) {
          keepToken(response);
        }
        return true;
      }
    }
    applyControl(response);
    keepToken(response);
    if (control == WatchResponse.ControlCase.SYNCED && options.untilSynced()) {
      return true;
    }
    if (!response.getResumeToken().isEmpty() && System.nanoTime() - saved >= SAVE_EVERY_NANOS) {
      save();
    }
    return false;
  }

  private void keepToken(WatchResponse response) {
    if (!response.getResumeToken().isEmpty()) {
      held.setToken(response.getResumeToken());
    }
  }

  private void apply(WatchEvent event) throws IOException {
    Held.Key key = new Held.Key(event.getRef().getNamespace(), event.getRef().getName());
    String version = event.getRef().getResourceVersion();
    if (event.getType() == EventType.EVENT_TYPE_DELETED) {
      // The version of the deletion itself; the ref has that of the last state.
      version = event.getResourceVersion();
      held.remove(key);
    } else {
      held.put(key, version);
    }
    Output.print(
        Output.line(
            "type", name(event.getType(), "EVENT_TYPE_"),
            "cause", name(event.getCause(), "EVENT_CAUSE_"),
            "namespace", key.namespace(),
            "name", key.name(),
            "resourceVersion", version,
            "revision", event.getRevision(),
            "bytes", event.getObject().getData().size()));
  }

  private void applyControl(WatchResponse response) throws IOException {
    switch (response.getControlCase()) {
      case CREATED -> {
        WatchMode mode = response.getCreated().getMode();
        // A snapshot puts in doubt whatever is held, also if no `reset` announces it: the stream before this one may
        // have ended inside its snapshot, before there was a token.
        if (mode == WatchMode.WATCH_MODE_SNAPSHOT) {
          held.mark();
        } else {
          held.unmark();
        }
        Output.print(
            with(
                Output.line("control", "created", "mode", name(mode, "WATCH_MODE_")),
                response.getCreated().getStatus()));
      }
      case RESET -> {
        held.mark();
        Output.print(
            Output.line(
                "control", "reset", "reason", name(response.getReset().getReason(), "RESET_REASON_")));
      }
      case SYNCED -> {
        failures = 0;
        pauseMillis = 0;
        CacheStatus status = response.getSynced().getStatus();
        for (Held.Gone gone : held.sweep()) {
          Output.print(
              Output.line(
                  "type", "SWEPT",
                  "cause", "RESET",
                  "namespace", gone.key().namespace(),
                  "name", gone.key().name(),
                  "resourceVersion", gone.resourceVersion(),
                  "revision", status.getRevision(),
                  "bytes", 0));
        }
        Output.print(
            with(
                Output.line(
                    "control", "synced",
                    "objectCount", response.getSynced().getObjectCount(),
                    "digest", digest(response.getSynced().getDigest())),
                status));
      }
      case BOOKMARK -> {
        Map<String, Object> line =
            with(
                Output.line(
                    "control", "bookmark",
                    "objectCount", response.getBookmark().getObjectCount(),
                    "digest", digest(response.getBookmark().getDigest())),
                response.getBookmark().getStatus());
        line.put("lagEvents", response.getBookmark().getLagEvents());
        Output.print(line);
      }
      case TERMINATING -> {
        pauseMillis =
            response.getTerminating().hasRetryDelay()
                ? millis(response.getTerminating().getRetryDelay())
                : 1_000;
        Output.print(
            Output.line(
                "control", "terminating",
                "reason", name(response.getTerminating().getReason(), "TERMINATING_REASON_")));
      }
      default -> {
        // Events alone, or a frame of a newer server.
      }
    }
  }

  private void save() throws IOException {
    if (options.tokenFile().isEmpty()) {
      return;
    }
    saved = System.nanoTime();
    held.save(options.tokenFile());
  }

  /** Doubles from attempt to attempt up to a cap, with jitter so that many clients do not come back at once. */
  private long nextDelayMillis() {
    long delay = Math.min(FIRST_DELAY_MILLIS << Math.min(failures, 10), MAX_DELAY_MILLIS);
    failures++;
    long atLeast = Math.max(delay / 2, pauseMillis);
    pauseMillis = 0;
    return atLeast + ThreadLocalRandom.current().nextLong(delay / 2 + 1);
  }

  private static Map<String, Object> with(Map<String, Object> line, CacheStatus status) {
    line.put("epoch", status.getEpoch());
    line.put("revision", status.getRevision());
    line.put("resourceVersion", status.getResourceVersion());
    line.put("upstreamState", name(status.getUpstreamState(), "UPSTREAM_STATE_"));
    return line;
  }

  /** The short name of an enum's value; UNRECOGNIZED for one that only a newer server knows. */
  private static String name(Enum<?> value, String prefix) {
    String name = value.name();
    return name.startsWith(prefix) ? name.substring(prefix.length()) : name;
  }

  /** As 16 hexadecimal digits: JSON numbers are not exact above 2^53. */
  private static String digest(long digest) {
    return String.format("%016x", digest);
  }

  private static long millis(Duration duration) {
    return TimeUnit.SECONDS.toMillis(duration.getSeconds())
        + TimeUnit.NANOSECONDS.toMillis(duration.getNanos());
  }
}
