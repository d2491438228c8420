// Command example shows how a Go program uses informerd: it follows a resource from snapshot to live deltas, gets an
// object, and looks objects up by an index. It prints one JSON object per line.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

const usage = `usage:
  example follow [--server S] [--namespace NS] [--resource pods] [--view reference|metadata|full]
                 [--token-file F] [--until-synced | --events N]
  example index  [--server S] [--resource pods] [--namespace NS] --index NAME --value V [--page-size N]
  example get    [--server S] [--resource pods] [--namespace NS] --name X
S is unix:///path or http://host:port; default $INFORMERD_SERVER, else ` + defaultServer

// errUsage marks errors of the command line: exit code 2.
var errUsage = errors.New("usage")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	switch err := run(ctx, os.Args[1:]); {
	case err == nil:
	case errors.Is(err, errUsage):
		fmt.Fprintf(os.Stderr, "example: %v\n%s\n", err, usage)
		os.Exit(2)
	default:
		fmt.Fprintf(os.Stderr, "example: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("%w: a command is missing", errUsage)
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.Usage = func() {}
	server := flags.String("server", serverFromEnvironment(), "")
	resource := flags.String("resource", "pods", "")
	namespace := flags.String("namespace", "", "")
	view := flags.String("view", "reference", "")
	tokenFile := flags.String("token-file", "", "")
	untilSynced := flags.Bool("until-synced", false, "")
	events := flags.Uint64("events", 0, "")
	name := flags.String("name", "", "")
	index := flags.String("index", "", "")
	value := flags.String("value", "", "")
	pageSize := flags.Int("page-size", 0, "")
	if err := flags.Parse(args[1:]); err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("%w: unexpected argument %q", errUsage, flags.Arg(0))
	}
	conn, err := connect(*server)
	if err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	defer conn.Close()

	switch args[0] {
	case "follow":
		projection, err := projectionOf(*view)
		if err != nil {
			return fmt.Errorf("%w: %w", errUsage, err)
		}
		f, err := newFollower(conn, followOptions{
			resource:    *resource,
			namespace:   *namespace,
			projection:  projection,
			stateFile:   *tokenFile,
			untilSynced: *untilSynced,
			events:      *events,
		})
		if err != nil {
			return err
		}
		return f.run(ctx)
	case "index":
		if *index == "" {
			return fmt.Errorf("%w: --index is missing", errUsage)
		}
		return listByIndex(ctx, conn, *resource, *namespace, *index, *value, int32(*pageSize))
	case "get":
		if *name == "" {
			return fmt.Errorf("%w: --name is missing", errUsage)
		}
		return get(ctx, conn, *resource, *namespace, *name)
	default:
		return fmt.Errorf("%w: unknown command %q", errUsage, args[0])
	}
}
