"""Shows how a Python program uses informerd: follows a resource from snapshot to live deltas, gets an object, and looks
objects up by an index. Prints one JSON object per line."""

import argparse
import signal
import sys
import threading

import grpc

import connection
import query
from follow import Follower, SaveError


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="example.py", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    def command(name: str, about: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=about)
        sub.add_argument(
            "--server",
            default=connection.server_from_environment(),
            help="unix:///path or http://host:port; default $INFORMERD_SERVER, else " + connection.DEFAULT_SERVER,
        )
        sub.add_argument("--resource", default="pods", help="as kubectl spells it")
        sub.add_argument("--namespace", default="", help="default: all")
        return sub

    follow = command("follow", "print a snapshot and then what changes")
    follow.add_argument("--view", default="reference", choices=sorted(connection.VIEWS))
    follow.add_argument("--token-file", default="", help="go on from here and save the position here")
    end = follow.add_mutually_exclusive_group()
    end.add_argument("--until-synced", action="store_true", help="end after the snapshot")
    end.add_argument("--events", type=int, default=0, help="end after so many events")
    index = command("index", "print what stands under a value of an index")
    index.add_argument("--index", required=True)
    index.add_argument("--value", required=True)
    index.add_argument("--page-size", type=int, default=0)
    get = command("get", "print one object's JSON")
    get.add_argument("--name", required=True)

    options = parser.parse_args(arguments)
    try:
        connection.target_of(options.server)
    except ValueError as error:
        parser.error(str(error))
    return options


def run_follow(channel: grpc.Channel, options: argparse.Namespace) -> None:
    follower = Follower(
        channel,
        resource=options.resource,
        namespace=options.namespace,
        projection=connection.projection_of(options.view),
        state_file=options.token_file,
        until_synced=options.until_synced,
        events=options.events,
    )
    # Blocked before any thread starts, so that every thread inherits it and only sigwait below takes the signals: a
    # Python signal handler could interrupt the main thread inside a lock that stop() needs.
    signals = {signal.SIGTERM, signal.SIGINT}

    def wait_for_signal() -> None:
        signal.sigwait(signals)
        follower.stop()

    threading.Thread(target=wait_for_signal, daemon=True).start()
    follower.run()


def main() -> int:
    options = parse(sys.argv[1:])
    if options.command == "follow":
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    try:
        with connection.connect(options.server) as channel:
            if options.command == "follow":
                run_follow(channel, options)
            elif options.command == "index":
                query.list_by_index(
                    channel, options.resource, options.namespace, options.index, options.value, options.page_size
                )
            else:
                query.get(channel, options.resource, options.namespace, options.name)
    except grpc.RpcError as error:
        print(f"example.py: {error.code().name}: {error.details()}", file=sys.stderr)
        return 1
    except (SaveError, OSError, ValueError) as error:
        print(f"example.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
