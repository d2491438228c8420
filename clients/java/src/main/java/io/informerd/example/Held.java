package io.informerd.example;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the client knows: the objects that it was told of and has not been told the end of, and the token to go on from.
 *
 * <p>Both belong together: a token that is kept without the keys leaves those for ever that vanish while the client and
 * the sidecar are down, since after a reset nothing says that they are gone.
 */
final class Held {
  /** Identifies an object inside one resource. */
  record Key(String namespace, String name) {
    static final Comparator<Key> ORDER = Comparator.comparing(Key::namespace).thenComparing(Key::name);
  }

  /** An object that a sweep removed, with its last resourceVersion. */
  record Gone(Key key, String resourceVersion) {}

  /** Content of the token file; the Go, Python and Java examples read each other's. */
  private static final class Saved {
    String token; // base64
    List<List<String>> held; // namespace, name, resourceVersion
  }

  private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

  private ByteString token = ByteString.EMPTY;
  private final Map<Key, String> objects = new HashMap<>(); // resourceVersion
  private Set<Key> marked = new HashSet<>(); // what the snapshot being received has not confirmed yet

  ByteString token() {
    return token;
  }

  void setToken(ByteString token) {
    this.token = token;
  }

  /** Begins a new snapshot: everything held is in doubt until it comes again. */
  void mark() {
    marked = new HashSet<>(objects.keySet());
  }

  /** No snapshot comes: what is held is completed by what follows. */
  void unmark() {
    marked = new HashSet<>();
  }

  void put(Key key, String resourceVersion) {
    objects.put(key, resourceVersion);
    marked.remove(key);
  }

  void remove(Key key) {
    objects.remove(key);
    marked.remove(key);
  }

  /** Ends a snapshot: forgets the keys that did not come again and returns them in order. */
  List<Gone> sweep() {
    List<Gone> gone =
        marked.stream().sorted(Key.ORDER).map(key -> new Gone(key, objects.remove(key))).toList();
    marked = new HashSet<>();
    return gone;
  }

  /** Reads the token file; a missing one means a client that knows nothing yet. */
  static Held load(String file) throws IOException {
    Held held = new Held();
    if (file.isEmpty()) {
      return held;
    }
    try {
      Saved saved = GSON.fromJson(Files.readString(Path.of(file)), Saved.class);
      if (saved == null || saved.token == null || saved.held == null) {
        throw new IOException("token file " + file + ": token or held is missing");
      }
      held.token = ByteString.copyFrom(Base64.getDecoder().decode(saved.token));
      for (List<String> object : saved.held) {
        held.objects.put(new Key(object.get(0), object.get(1)), object.get(2));
      }
      return held;
    } catch (NoSuchFileException e) {
      return held;
    } catch (JsonParseException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IOException("token file " + file + ": " + e.getMessage(), e);
    }
  }

  /** Replaces the token file in one step, so that a crash leaves the old one or the new one, each whole. */
  void save(String file) throws IOException {
    Saved saved = new Saved();
    saved.token = Base64.getEncoder().encodeToString(token.toByteArray());
    saved.held = new ArrayList<>();
    objects.forEach((key, version) -> saved.held.add(List.of(key.namespace, key.name, version)));
    ByteBuffer content = ByteBuffer.wrap((GSON.toJson(saved) + "\n").getBytes(StandardCharsets.UTF_8));

    Path path = Path.of(file).toAbsolutePath();
    Path temporary = Files.createTempFile(path.getParent(), path.getFileName() + ".", "");
    try {
      try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
        while (content.hasRemaining()) {
          channel.write(content);
        }
        channel.force(true);
      }
      Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
