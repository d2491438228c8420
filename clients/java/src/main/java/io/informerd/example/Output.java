package io.informerd.example;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Lines of JSON on standard output. */
final class Output {
  /** Not System.out, which hides a failed write: a reader that went away must end the program. */
  private static final OutputStream STDOUT = new FileOutputStream(FileDescriptor.out);

  private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

  private Output() {}

  /** Begins a line; {@code fields} are names and values in turn. */
  static Map<String, Object> line(Object... fields) {
    Map<String, Object> line = new LinkedHashMap<>();
    for (int i = 0; i < fields.length; i += 2) {
      line.put((String) fields[i], fields[i + 1]);
    }
    return line;
  }

  /** Writes one line, at once. */
  static void print(Map<String, Object> line) throws IOException {
    printBytes(GSON.toJson(line).getBytes(StandardCharsets.UTF_8));
  }

  /** Writes bytes as they are, and a line end, at once. */
  static void printBytes(byte[] data) throws IOException {
    byte[] line = new byte[data.length + 1];
    System.arraycopy(data, 0, line, 0, data.length);
    line[data.length] = '\n';
    STDOUT.write(line);
  }
}
