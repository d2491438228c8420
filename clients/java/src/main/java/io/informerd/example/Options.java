package io.informerd.example;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The command line. */
record Options(
    String command,
    String server,
    String resource,
    String namespace,
    String view,
    String tokenFile,
    boolean untilSynced,
    long events,
    String name,
    String index,
    String value,
    int pageSize) {

  static final String USAGE =
      """
      usage:
        example follow [--server S] [--namespace NS] [--resource pods] [--view reference|metadata|full]
                       [--token-file F] [--until-synced | --events N]
        example index  [--server S] [--resource pods] [--namespace NS] --index NAME --value V [--page-size N]
        example get    [--server S] [--resource pods] [--namespace NS] --name X
      S is unix:///path or http://host:port; default $INFORMERD_SERVER, else\s"""
          + Connection.DEFAULT_SERVER;

  private static final Map<String, Set<String>> FLAGS =
      Map.of(
          "follow", Set.of("server", "resource", "namespace", "view", "token-file", "until-synced", "events"),
          "index", Set.of("server", "resource", "namespace", "index", "value", "page-size"),
          "get", Set.of("server", "resource", "namespace", "name"));
  private static final Map<String, Set<String>> REQUIRED =
      Map.of("follow", Set.of(), "index", Set.of("index", "value"), "get", Set.of("name"));

  /** Throws IllegalArgumentException if the arguments are not as {@link #USAGE} says. */
  static Options parse(String[] arguments) {
    if (arguments.length == 0 || !FLAGS.containsKey(arguments[0])) {
      throw new IllegalArgumentException("the first argument must be one of follow, index, get");
    }
    String command = arguments[0];
    Map<String, String> given = new HashMap<>();
    for (int i = 1; i < arguments.length; i++) {
      String flag = arguments[i].startsWith("--") ? arguments[i].substring(2) : "";
      if (!FLAGS.get(command).contains(flag)) {
        throw new IllegalArgumentException("unexpected argument " + arguments[i]);
      }
      if (flag.equals("until-synced")) {
        given.put(flag, "true");
      } else if (++i < arguments.length) {
        given.put(flag, arguments[i]);
      } else {
        throw new IllegalArgumentException("--" + flag + " needs a value");
      }
    }
    for (String flag : REQUIRED.get(command)) {
      if (!given.containsKey(flag)) {
        throw new IllegalArgumentException("--" + flag + " is missing");
      }
    }
    Options options =
        new Options(
            command,
            given.getOrDefault("server", Connection.serverFromEnvironment()),
            given.getOrDefault("resource", "pods"),
            given.getOrDefault("namespace", ""),
            given.getOrDefault("view", "reference"),
            given.getOrDefault("token-file", ""),
            given.containsKey("until-synced"),
            Long.parseLong(given.getOrDefault("events", "0")),
            given.getOrDefault("name", ""),
            given.getOrDefault("index", ""),
            given.getOrDefault("value", ""),
            Integer.parseInt(given.getOrDefault("page-size", "0")));
    Connection.targetOf(options.server);
    Connection.projectionOf(options.view);
    return options;
  }
}
